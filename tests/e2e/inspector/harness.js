// Mounts the inspector, or `?module=` of it, as Streamlit does, with a shadow root and without
// Streamlit.
const asked = new URLSearchParams(location.search);
const { mount } = await import(`./inspector/${asked.get("module") ?? "main.js"}`);
const parentElement = document.getElementById("place").attachShadow({ mode: "open" });
const sent = [];
window.sent = sent;
const triggered = [];
window.triggered = triggered;

/** Loads data set `name` and mounts it again over what is there. */
window.show = async (name) => {
  const [meta, array] = await Promise.all([
    fetch(`data/${name}/meta.json`).then((reply) => reply.json()),
    fetch(`data/${name}/array.bin`).then((reply) => reply.arrayBuffer()),
  ]);
  const bytes = new Uint8Array(array);
  // Arrow tables are what Streamlit hands over; a plain array must do as well.
  const table = { getChildAt: () => ({ toArray: () => bytes }) };
  window.unmount = mount({
    data: { meta, ...(bytes.length ? { array: name.includes("plain") ? bytes : table } : {}) },
    key: "harness", name: "inspector", parentElement,
    setStateValue: (key, value) => sent.push([key, value]),
    setTriggerValue: (key, value) => triggered.push([key, value]),
  });
};
window.headlight = () => parentElement.headlight?.state() ?? { ready: false };
await window.show(asked.get("data") ?? "default");
