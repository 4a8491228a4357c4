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
