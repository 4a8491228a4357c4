// @ts-check
/**
 * A `mount(component)` as Streamlit calls it: again and again with the same parentElement, and
 * what it returned once, at the end.
 * @template {{ parentElement: Element }} Component
 * @param {(component: Component) => { update(component: Component): void, stop(): void }} make called
 *   once for each element
 */
export function mounts(make) {
  const made = new WeakMap();
  return function mount(/** @type {Component} */ component) {
    const { parentElement } = component;
    const one = made.get(parentElement) ?? make(component);
    made.set(parentElement, one);
    one.update(component);
    return () => {
      if (made.get(parentElement) === one) made.delete(parentElement);
      one.stop();
    };
  };
}
