// @ts-check
// Keys of states, of one trace and of two: along the steps, and along the units while a heatmap has the focus.

/**
 * Where a key leads; null where it leads nowhere, or is not for us. It is used up then.
 * @param {KeyboardEvent} event
 * @param {{ position: number, last: number, order: number[], unit: number, heats: Element[] }} at
 *   steps and units as they are drawn
 * @returns {{ position: number } | { unit: number } | null}
 */
export function stepped(event, { position, last, order, unit, heats }) {
  const target = event.target instanceof Element ? event.target : null;
  if (event.ctrlKey || event.metaKey || event.altKey || target?.matches("select, input")) return null;
  const row = order.indexOf(unit);
  const onHeat = target !== null && heats.includes(target);
  /** @type {Record<string, { position: number } | { unit: number } | undefined>} */
  const places = {
    ArrowLeft: { position: Math.max(0, position - 1) },
    ArrowRight: { position: Math.min(last, position + 1) },
    Home: { position: 0 },
    End: { position: last },
    ArrowUp: onHeat ? { unit: order[Math.max(0, row - 1)] } : undefined,
    ArrowDown: onHeat ? { unit: order[Math.min(order.length - 1, row + 1)] } : undefined,
  };
  const place = places[event.key];
  if (!place) return null;
  event.preventDefault();
  event.stopPropagation();
  return place;
}
