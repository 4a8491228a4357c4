// Runs before Streamlit's own script, on every page.

// The server is at the root: without this, Streamlit asks /step/_stcore/... first and gets 404.
const root = `${location.origin}/`;
window.__streamlit = { BACKEND_BASE_URL: root, MAIN_PAGE_BASE_URL: root };

// Streamlit fixes <html lang> to English. The address says which language the page speaks,
// and voices, hyphenation and fonts follow it.
function speak() {
  const asked = new URLSearchParams(location.search).get("lang") ?? navigator.language;
  document.documentElement.lang = asked.toLowerCase().startsWith("ko") ? "ko" : "en";
}
for (const name of ["pushState", "replaceState"]) {
  const original = history[name];
  history[name] = function (...values) {
    original.apply(this, values);
    speak();
  };
}
window.addEventListener("popstate", speak);
speak();

// The inspector reports what is chosen once it has rested. Who leaves for another page before
// that would lose it, and a report that is sent while the page changes would undo the change:
// so the report goes first, and the click follows when the link carries what was reported.
const PATIENCE_MS = 3000;

function behind(link) {
  const selection = document.headlight?.selection();
  if (!selection) return false;
  const carried = new URL(link.href).searchParams;
  return Object.entries(selection).some(
    ([name, value]) => carried.has(name) && carried.get(name) !== String(value),
  );
}

function follow(path, began) {
  const links = [...document.querySelectorAll('[data-testid="stPageLink-NavLink"]')];
  const link = links.find((one) => new URL(one.href).pathname === path);
  if (!link) return;
  if (behind(link) && performance.now() - began < PATIENCE_MS) {
    requestAnimationFrame(() => follow(path, began));
  } else {
    link.dataset.follows = "";
    link.click();
    delete link.dataset.follows;
  }
}

document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest?.('[data-testid="stPageLink-NavLink"]');
    const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    if (!link || elsewhere || "follows" in link.dataset || !behind(link)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    document.headlight.report();
    follow(new URL(link.href).pathname, performance.now());
  },
  true,
);
