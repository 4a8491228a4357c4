// Runs before Streamlit's own script, on every page.

// The server is at the root: without this, Streamlit asks /step/_stcore/... first and gets 404.
const root = `${location.origin}/`;
window.__streamlit = { BACKEND_BASE_URL: root, MAIN_PAGE_BASE_URL: root };

// Streamlit fixes <html lang> to English. The address says which language the page speaks,
// and voices, hyphenation and fonts follow it.
function speak() {
  const asked = new URLSearchParams(location.search).get("lang") ?? navigator.language;
  document.documentElement.lang = asked.toLowerCase().startsWith("ko") ? "ko" : "en";
  nameForEars();
}

// What Streamlit names in English, whatever the page speaks: frame.css shows it in Korean, this
// says it so.
const KOREAN = {
  'a[href="#stMain"]': "본문으로 건너뛰기",
  '[data-testid="stFileUploaderDropzone"] button': "파일 선택",
};

function nameForEars() {
  for (const [which, said] of Object.entries(KOREAN)) {
    for (const element of document.querySelectorAll(which)) {
      if (document.documentElement.lang === "ko") element.setAttribute("aria-label", said);
      else element.removeAttribute("aria-label");
    }
  }
}

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
  const row = target.closest(".st-key-pages");
  widths.disconnect();
  for (const element of [row, ...row.children]) widths.observe(element);
});

// The inspector reports what is chosen once it has rested. Who leaves for another page before
// that would lose it, and a report that is sent while the page changes would undo the change:
// so the report goes first, and the click follows when the link carries what was reported.
const PATIENCE_MS = 3000;

const LINKS = '[data-testid="stPageLink-NavLink"]';
const parameters = (link) => new URL(link.href).searchParams;

/**
 * Does a link lack what is chosen? What it is silent about counts where that is being reported.
 * Step's kind of attention is its own, and so is what is pinned in it: whether these are behind, the
 * link to the page in view says.
 */
function behind(link, reported) {
  const here = document.querySelector(`[class*="st-key-nav-here"] ${LINKS}`) ?? link;
  const asked = parameters(link);
  for (const name of ["kind", "pinned", "held"]) {
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
