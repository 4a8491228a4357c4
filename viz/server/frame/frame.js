// Runs before Streamlit's own script, on every page.

// The server is at the root: without this, Streamlit asks /step/_stcore/... first and gets 404.
const root = `${location.origin}/`;
window.__streamlit = { BACKEND_BASE_URL: root, MAIN_PAGE_BASE_URL: root };

const LINKS = '[data-testid="stPageLink-NavLink"]'; // to pages

// Streamlit fixes <html lang> to English. The address says which language the page speaks,
// and voices, hyphenation and fonts follow it.
function speak() {
  const asked = new URLSearchParams(location.search).get("lang") ?? navigator.language;
  document.documentElement.lang = asked.toLowerCase().startsWith("ko") ? "ko" : "en";
  nameForEars();
}

// What Streamlit and Plotly write in English, whatever the page speaks: frame.css shows it in
// Korean, this says it so.
const KOREAN = {
  'a[href="#stMain"]': "본문으로 건너뛰기",
  '[data-testid="stFileUploaderDropzone"] button': "파일 선택",
};
// What they call by a name: buttons of help, of numbers, of code and of charts.
const NAMES = [
  ["Help", "도움말"],
  ["Decrement", "줄이기"],
  ["Increment", "늘리기"],
  ["Copy to clipboard", "클립보드에 복사"],
  ["Download plot as a PNG", "PNG로 저장"],
  ["Zoom", "끌어서 확대"],
  ["Pan", "끌어서 옮기기"],
  ["Zoom in", "확대"],
  ["Zoom out", "축소"],
  ["Autoscale", "모두 보이게"],
  ["Reset axes", "처음 범위로"],
  ["Fullscreen", "전체 화면"],
  ["Close fullscreen", "전체 화면 닫기"],
];
const NAMED = '[data-testid="stTooltipHoverTarget"] > button, [data-testid^="stNumberInputStep"], .modebar-btn';
const INTO = {
  ko: [new Map(NAMES), /^Help for (.+)$/s, "$1 도움말"],
  en: [new Map(NAMES.map(([english, korean]) => [korean, english])), /^(.+) 도움말$/s, "Help for $1"],
};

function nameForEars() {
  const { lang } = document.documentElement;
  for (const [which, said] of Object.entries(KOREAN)) {
    for (const element of document.querySelectorAll(which)) {
      if (lang === "ko") element.setAttribute("aria-label", said);
      else element.removeAttribute("aria-label");
    }
  }
  const [names, help, helping] = INTO[lang];
  for (const element of document.querySelectorAll(NAMED)) {
    for (const name of ["aria-label", "data-title"]) {
      const said = element.getAttribute(name);
      const says = said && (names.get(said) ?? said.replace(help, helping));
      if (says !== said) element.setAttribute(name, says);
    }
  }
}

// What the header is, for who does not see it: two rows of navigation, the page in view among their
// links, and above all the page's title, as its first heading.
function outline() {
  const header = document.querySelector(".st-key-header");
  const [pages, within] = [".st-key-pages", ".st-key-within"].map((row) => header?.querySelector(row));
  for (const [row, label] of [
    [pages, "Headlight"],
    [within, pages?.querySelector('[class*="-here-"]')?.textContent],
  ]) {
    row?.setAttribute("role", "navigation");
    row?.setAttribute("aria-label", label);
  }
  for (const link of header?.querySelectorAll(LINKS) ?? []) {
    const { pathname } = new URL(link.getAttribute("href"), root); // that of the first page is a query alone
    const which = pathname === location.pathname ? "page" : "true"; // or one beside it
    if (link.closest('[class*="-here-"]')) link.setAttribute("aria-current", which);
    else link.removeAttribute("aria-current");
  }
  const brand = header?.querySelector(":scope > :first-child p");
  if (brand) Object.assign(brand, { role: "heading", ariaLevel: "1", ariaLabel: document.title });
}
const outlined = new MutationObserver(outline);
outlined.observe(document.querySelector("title"), { childList: true });

const { pushState, replaceState } = history;

// What Python adds to an address before anyone has touched the page completes that address: Back
// should not stop at the incomplete one. Streamlit pushes it; here it replaces.
let touched = false;
for (const name of ["pointerdown", "keydown", "click"]) {
  document.addEventListener(name, () => (touched = true), true);
}
window.addEventListener("popstate", () => (touched = false));

// Who goes back is counted in the address that Streamlit reads off and sends: it says of a run that
// Back began it, but forgets that where a click or a report is sent a moment later. Before anything
// is painted, the address is as it was. (Streamlit tells one # from another by the same address.)
let trips = 0;
window.addEventListener("popstate", () => {
  if (location.hash) return;
  const said = location.href;
  const counted = new URL(said);
  counted.searchParams.set("went", ++trips);
  replaceState.call(history, history.state, "", counted);
  setTimeout(() => {
    if (location.href === counted.href) replaceState.call(history, history.state, "", said);
  });
});

const drawn = () => [...(document.headlights ?? [])];

// A run that began before the last address arrived writes it once more, and what a view owns may
// be older in it: Back should not stop at the same picture twice. A view's own choices make no
// entry either (url.js).
function saysMore(url) {
  const owned = new Set(drawn().flatMap((one) => one.owned()));
  const [said, says] = [location.search, url.search].map((query) => {
    const rest = [...new URLSearchParams(query)].filter(([name]) => !owned.has(name));
    return JSON.stringify(rest.sort());
  });
  return said !== says;
}

for (const [name, original] of Object.entries({ pushState, replaceState })) {
  history[name] = function (state, unused, url) {
    const next = new URL(url ?? location.href, location.href);
    const elsewhere = next.pathname !== location.pathname;
    const change = elsewhere || (touched && saysMore(next)) ? original : replaceState;
    change.call(this, state, unused, url);
    if (elsewhere) touched = false;
    speak();
    // This is what Python writes; views own parts of it, and may be further on (url.js).
    window.dispatchEvent(new Event("headlight-address"));
  };
}
window.addEventListener("popstate", speak);
speak();

// Streamlit puts what drops down at the end of the page: who opens it by a key goes into it, and
// past either end of it comes back to its button.
const DROPPED = '[data-testid="stPopoverBody"]';
const OPENER = '[data-testid="stPopover"] button[aria-expanded="true"]';
const within = (body) =>
  [...body.querySelectorAll("a[href], button, input, select, textarea, [tabindex='0']")].filter(
    (one) => !one.disabled && one.tabIndex >= 0 && one.offsetParent !== null,
  );

function enter(button, began) {
  const [first] = [...document.querySelectorAll(DROPPED)].flatMap(within);
  if (document.activeElement !== button || performance.now() - began > PATIENCE_MS) return;
  if (first) first.focus();
  else requestAnimationFrame(() => enter(button, began));
}

document.addEventListener(
  "keydown",
  (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const button = event.target.closest?.('[data-testid="stPopover"] button');
    if (button && (event.key === "Enter" || event.key === " ")) {
      const shut = button.getAttribute("aria-expanded") !== "true";
      if (shut) requestAnimationFrame(() => enter(button, performance.now()));
      return;
    }
    const body = event.key === "Tab" && event.target.closest?.(DROPPED);
    const last = body && within(body).at(event.shiftKey ? 0 : -1);
    const opener = document.querySelector(OPENER);
    if (!last || last !== event.target || !opener) return;
    event.preventDefault();
    opener.focus();
  },
  true,
);

// What is chosen among them by a key closes them, and a link that leads to a page is drawn anew there,
// at times twice: the focus would be the whole page's, and goes on at what opened them, or stands in
// the link's place, until it is moved.
let asked = 0; // when it was, last
function goOn(at, began, held = null) {
  if (began !== asked) return;
  const { activeElement, body } = document;
  const lost = activeElement === body && !held?.isConnected;
  if (!lost && activeElement !== held && !activeElement.closest(`${DROPPED}, ${LINKS}`)) return;
  const next = lost && !document.querySelector(DROPPED) && document.querySelector(at);
  if (next) next.focus();
  if (performance.now() - began < PATIENCE_MS) requestAnimationFrame(() => goOn(at, began, next || held));
}

function successor({ target }) {
  const link = target.closest?.(LINKS)?.closest('[class*="st-key-"]');
  if (link) return `.${link.className.match(/st-key-\S+/)[0].replace("-page-", "-here-")} a`;
  const opener = target.closest?.(DROPPED) && document.querySelector(OPENER)?.closest('[class*="st-key-"]');
  const name = opener?.className.match(/st-key-widget-\D+/); // another number is another one, that is closed
  return name && `[class*="${name[0]}"] button`;
}

document.addEventListener(
  "click",
  (event) => {
    const at = event.detail === 0 && successor(event); // a key's, or a voice's
    if (at) goOn(at, (asked = performance.now()));
  },
  true,
);

// The help of a switch stands within its label, and the label takes a press on it for one on the
// switch, and its focus, by which a touch shows the help. Only what listens on the way down hears it.
const HELP = '[data-testid="stCheckbox"] [data-testid="stTooltipIcon"]';
for (const name of ["pointerdown", "mousedown"]) {
  document.addEventListener(
    name,
    ({ target }) => target.closest?.(HELP)?.addEventListener(name, (event) => event.stopPropagation(), { once: true }),
    true,
  );
}

// Where the pages stand in a row that scrolls, the one in view is always to be seen.
function reveal() {
  const here = document.querySelector('[class*="st-key-nav-here"]');
  const row = here?.closest(".st-key-pages");
  if (!row || row.scrollWidth <= row.clientWidth) return;
  const [page, all] = [here, row].map((element) => element.getBoundingClientRect());
  row.scrollLeft += page.left + page.width / 2 - all.left - all.width / 2;
}
// Names come late and change with the language; the row changes with the window.
const widths = new ResizeObserver(reveal);
// An animation begins (frame.css) when the mark appears, or moves to another page.
document.addEventListener("animationstart", ({ animationName, target }) => {
  if (animationName === "headlight-named") nameForEars(); // it is there now
  if (animationName !== "headlight-here") return;
  const seen = { subtree: true, childList: true, characterData: true, attributeFilter: ["class", "href"] };
  outlined.observe(target.closest(".st-key-header"), seen);
  outline();
  const row = target.closest(".st-key-pages");
  widths.disconnect();
  for (const element of [row, ...row.children]) widths.observe(element);
});

// The inspector reports what is chosen once it has rested. Who leaves for another page before
// that would lose it, and a report that is sent while the page changes would undo the change:
// so the report goes first, and the click follows when the link carries what was reported.
const PATIENCE_MS = 3000;

// Step's kind of attention is its own, and so is what is pinned and in view in it (OF_A_KIND,
// viz/session/state.py).
const STEPS_OWN = ["kind", "pinned", "held", "zoom"];

const parameters = (link) => new URL(link.href).searchParams;

/**
 * Does a link lack what is chosen? What it is silent about counts where that is being reported.
 * Whether what is Step's own is behind, the link to the page in view says.
 */
function behind(link, reported) {
  const here = document.querySelector(`[class*="st-key-nav-here"] ${LINKS}`) ?? link;
  const asked = parameters(link);
  for (const name of STEPS_OWN) {
    const value = parameters(here).get(name);
    if (value === null) asked.delete(name);
    else asked.set(name, value);
  }
  return drawn().some((one) => one.behind(asked, reported));
}

function follow(path, began, reported) {
  const links = [...document.querySelectorAll(LINKS)];
  const link = links.find((one) => new URL(one.href).pathname === path);
  // While the page is drawn anew, the link may be gone for a moment.
  if ((!link || behind(link, reported)) && performance.now() - began < PATIENCE_MS) {
    requestAnimationFrame(() => follow(path, began, reported));
  } else if (link) {
    link.dataset.follows = "";
    link.click();
    delete link.dataset.follows;
  }
}

document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest?.(LINKS);
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (!link || elsewhere || "follows" in link.dataset) return;
    const reported = drawn().some((one) => one.rests());
    if (!behind(link, reported)) {
      drawn().forEach((one) => one.forget()); // the link says it all
      return;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
    drawn().forEach((one) => one.report());
    follow(new URL(link.href).pathname, performance.now(), reported);
  },
  true,
);
