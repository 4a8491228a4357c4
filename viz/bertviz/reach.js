// BertViz's scripts answer to a mouse that points and clicks; here to keys and fingers too. Tokens,
// heads and small pictures take the focus: the Tab key goes from group to group, arrows within one,
// and what has the focus is pointed at. The page around it is told how high all of it is.
{
  const root = document.querySelector("#bertviz");
  const GROUPS = {
    head: ["svg > g:last-child > rect", "#left g:has(> .background)", "#right g:has(> .background)"],
    model: ["g:has(> .attn_background)", "g.detail:not(g.detail ~ g.detail) > g"], // its left side
    neuron: ["#collapsed #leftText > g", "#expanded #leftText > g"],
  };
  const groups = () => (GROUPS[root?.dataset.view] ?? []).map((selector) => [...root.querySelectorAll(selector)]);
  const filled = (text, holes) => text.replace(/\{(\w+)\}/g, (_, name) => holes[name]);

  /** What one presses has a role and a state; a token that one only looks at is a picture. */
  function described(item, at) {
    const { view, headName, onlyHead, firstLayer } = root.dataset;
    if (item.matches("rect")) {
      return {
        role: "button",
        "aria-keyshortcuts": "Shift+Enter",
        "aria-pressed": d3.select(item).datum(),
        "aria-label": filled(onlyHead, { head: at + 1 }),
      };
    }
    const picture = item.querySelector(":scope > .attn_background");
    if (picture) {
      const [layer, head] = picture.id.match(/\d+/g).map(Number);
      return {
        role: "button",
        "aria-pressed": +picture.getAttribute("stroke-opacity") > 0,
        "aria-label": filled(headName, { layer: layer + +firstLayer, head: head + 1 }),
      };
    }
    const label = { "aria-label": item.querySelector("text").textContent };
    if (view !== "neuron") return { role: "img", ...label };
    return { role: "button", "aria-expanded": item.closest("#expanded") !== null, ...label };
  }

  /** Those that are there now: a pressed picture brings tokens of its own. */
  function reach() {
    for (const group of groups()) {
      group.forEach((item, at) => {
        for (const [name, value] of Object.entries(described(item, at))) item.setAttribute(name, value);
        if (!item.hasAttribute("tabindex")) item.setAttribute("tabindex", at === 0 ? 0 : -1);
      });
    }
  }

  const mouse = (type, element) => element?.dispatchEvent(new MouseEvent(type, { bubbles: true }));
  const click = (element) => mouse("click", element);
  const alone = (head) => mouse("dblclick", head); // or all, where it is
  const sign = (token) => token.querySelector(":scope > rect:last-child");

  function focus(group, item) {
    group.forEach((one) => one.setAttribute("tabindex", one === item ? 0 : -1));
    item.focus();
  }

  function key(event) {
    const group = groups().find((one) => one.includes(event.target));
    if (!group || event.ctrlKey || event.altKey || event.metaKey) return;
    const top = (item) => item.getBoundingClientRect().top;
    const row = group.filter((item) => top(item) === top(group[0])).length;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -row, ArrowDown: row }[event.key];
    if (step) focus(group, group[group.indexOf(event.target) + step] ?? event.target);
    else if (event.key !== "Enter" && event.key !== " ") return;
    else if (event.target.matches("rect")) (event.shiftKey ? alone : click)(event.target);
    else click(sign(event.target));
    event.preventDefault();
  }

  function clicked({ target }) {
    const token = target.closest("#leftText > g");
    if (token?.closest("#collapsed") && target !== sign(token)) return click(sign(token)); // the whole token opens
    reach();
    if (token && getComputedStyle(token).visibility === "hidden") {
      const [shut, open] = groups();
      const [from, to] = shut.includes(token) ? [shut, open] : [open, shut];
      focus(to, to[from.indexOf(token)]); // where it went
    }
    root.querySelector("rect.detail")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // A finger is not played as a mouse: browsers differ in which events that makes, and of the first
  // touch some make a hover alone.
  const TWICE_MS = 400; // from tap to tap, as from click to click
  let began = null;
  let tapped = null; // {item, at}: the tap before

  function touching({ touches }) {
    began = touches.length === 1 ? touches[0] : null;
  }

  function touched(event) {
    const [{ clientX, clientY }] = event.changedTouches;
    const still = began && Math.hypot(clientX - began.clientX, clientY - began.clientY) < 10;
    const items = still ? groups().flat() : [];
    const item = items.find((one) => one.contains(event.target));
    if (!item) return;
    event.preventDefault();
    item.focus({ preventScroll: true });
    mouse("mouseover", item); // it may have had the focus
    click(event.target);
    const twice = item.matches("rect") && tapped?.item === item && event.timeStamp - tapped.at < TWICE_MS;
    tapped = twice ? null : { item, at: event.timeStamp };
    if (twice) alone(item); // after two clicks, as a mouse's
  }

  if (root) {
    reach();
    for (const part of root.querySelectorAll("#leftText > g > rect:last-child")) {
      // as high as its row
      for (const [name, by] of Object.entries({ x: -5, y: -5, width: 14, height: 10 })) {
        part.setAttribute(name, +part.getAttribute(name) + by);
      }
    }
    root.addEventListener("focusin", ({ target }) => mouse("mouseover", target));
    root.addEventListener("focusout", ({ target }) => mouse("mouseleave", target));
    root.addEventListener("keydown", key);
    root.addEventListener("click", clicked);
    root.addEventListener("dblclick", reach);
    root.addEventListener("touchstart", touching, { passive: true });
    root.addEventListener("touchend", touched);
  }
  new ResizeObserver(() => parent.postMessage({ height: document.body.offsetHeight }, "*")).observe(document.body);
}
