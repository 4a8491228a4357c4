// What modules hand to each other. Read by the TypeScript compiler alone (`make lint`): no browser
// asks for it.

export type Kind = "encoder_self" | "decoder_self" | "cross";

/** Texts by name, of the language of the page (viz/text). */
export type Words = Record<string, string>;

/** Tokens by columns (viz/inspector/pack.py). */
export interface Columns {
  text: string[];
  piece: string[];
  special: boolean[];
  word: number[];
}

export interface Token {
  text: string;
  piece: string;
  special: boolean;
  joint: boolean;
  dash: boolean;
}

/** One kind of attention, and where it lies in its bytes (viz/inspector/quantise.py). */
export interface Site {
  kind: Kind;
  layers: number;
  heads: number;
  rows: number;
  columns: number;
  fine: [number, number];
  masks: number;
  error: number;
  /** Codes are shares of the head's largest weight, not square roots of shares of the row's. */
  linear: boolean;
  maxima: number;
  codes: number;
  allowed: number;
  peaks: number | null;
  bytes: number;
  scores: boolean;
  /** Of each layer, whether an edit met the scores of each head; null or absent where none did. */
  scores_edited?: boolean[][] | null;
  /** A part of each row goes to no key. */
  sink: boolean;
  /** Of each head the rows in which weights were put in the place of the softmax's; null for none. */
  forced: number[][][] | null;
  shares: boolean;
  traits: Record<string, number[][]>;
}

/** What may come next at a step, most likely first. */
export interface NextEntry {
  ids: number[];
  texts: string[];
  /** Which of them would go on with the word of the token before. */
  joins: boolean[];
  specials: (string | null)[];
  p: number[];
  chosen: number;
  others: number;
  rank: number | null;
}

export interface Candidate {
  id: number;
  text: string;
  /** It would go on with a word. */
  dash: boolean;
  special: boolean;
  p: number;
  chosen: boolean;
}

export interface Candidates {
  items: Candidate[];
  others: number;
  rank: number | null;
  chosen: Candidate | null;
}

export interface Ui {
  language: string;
  view: string;
  text: Words;
  selection?: Wanted & { turn?: number };
  /** What is asked of a typed sentence: the id of its `model`, and how chance chooses; {} for none. */
  asks?: Record<string, string>;
  /** Another token may be chosen. */
  branches?: boolean;
}

/** What is told of a trace (viz/inspector/pack.py). */
export interface Meta {
  trace_id: string;
  sites: Site[];
  source: Columns;
  read: Columns;
  written: Columns;
  next: NextEntry[] | null;
  /** What a model that writes nothing says at each token of its source. */
  told?: NextEntry[] | null;
  /** There are logits to ask for. */
  logits: boolean;
  /** Facts of the pass that the trace tells. */
  facts: Record<string, string | number | boolean>;
  /** What was edited during it, each in short, in the language of the page. */
  edits?: string[];
  /** By what chance its tokens were drawn, by name; {} if by none. */
  sampled?: Record<string, string>;
  compare?: Compare;
  /** Columns of the logits, 0 where there are none. */
  vocabulary: number;
  ui: Ui;
}

/** Bytes at a path of a snapshot; rejects where there are none. */
export type Ask = (traceId: string, path: string, signal?: AbortSignal) => Promise<ArrayBuffer>;

/** A head's weights as they were packed, or made smaller. */
export interface Small {
  values: Float32Array;
  rows: number;
  columns: number;
}

/** A selection from anywhere: an address, Python, an earlier sentence. Counts from 1. */
export type Wanted = Record<string, unknown>;

/** What is chosen, as Python and the address know it. Counts from 1. */
export interface Selection {
  kind: Kind;
  layer: number;
  head: number;
  step: number;
  pinned: number[] | null;
}

/** The same as views render it. Counts from 0. */
export type Place = Selection;

/** How many there are of each kind, and of steps: all that a selection has to fit. */
export interface Extents {
  kinds: Kind[];
  sites: Map<Kind, Pick<Site, "layers" | "heads" | "rows" | "columns">>;
  steps: number;
}

/** Rows and columns in view, counted from 0; `bottom` and `right` are the first beyond. */
export interface Part {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/** The head in view, and what is pointed at and pinned in it: what every host's state has. Counts from 0. */
export interface HeadState {
  kind: Kind;
  layer: number;
  head: number;
  /** null where every row is shown. */
  step: number | null;
  hover: number[] | null;
  /** `hover` is where a pointer is, and not where keys have led. */
  pointed: boolean;
  pinned: number[] | null;
  stretch: boolean;
  /** Of hosts that know of them. */
  held?: number[] | null;
  /** The part of pieces in view, null for all. */
  zoom?: Part | null;
  /** The cell of a token that was searched for; -1 on an axis that has none. */
  found?: number[] | null;
  words?: boolean;
  order?: string;
  top?: number | null;
  /** The head of a second trace, null where it is the same. */
  other?: number[] | null;
}

/** What an inspector has chosen: where, and how it is drawn (options.js). */
export interface Chosen extends HeadState {
  step: number;
  held: number[] | null;
  zoom: Part | null;
  found: number[] | null;
  words: boolean;
  order: string;
  top: number | null;
  mode: "matrix" | "lines";
  kept: number[][];
  trim: number;
  threshold: number;
  shape: Shape;
  shaping: boolean;
  stages: boolean;
}

/** The numbers of one head, exact or as they were packed. */
export interface Head {
  weights: Float32Array;
  scores: Float32Array | null;
  shares: Float32Array | null;
  status: string;
}

/** What the cells of a large head hold. */
export interface Shown {
  values: Float32Array;
  status: string;
  /** What is drawn of them, where the smallest are left out, and which share of the mass that is. */
  drawn?: Float32Array;
  share?: number;
  /** The mass that is not drawn, and all of it, by row. */
  hidden?: Float64Array;
  totals?: Float64Array;
  /** Of words: where a step ends within one, and whether they are sums. */
  cut?: number;
  sums?: boolean;
}

/** Colours of values, and the values at their two ends. */
export interface Shade {
  table: Uint32Array;
  low: number;
  high: number;
}

/** What every view may ask of what it is drawn in: an inspector, a film, one side of a comparison. */
export interface App {
  words: Words;
  theme: Theme;
  store: Store<HeadState>;
  sizes: import("./views/sizes.js").Sizes;
  /** What rows and columns are of: pieces, or the words made of them. */
  seen: import("./data/seen.js").Seen;
  /** Where what keys reach is spoken. */
  live: HTMLElement;
  tip: ReturnType<typeof import("./views/tip.js").createTip>;
  title(state: HeadState): string;
  current(): Head;
  shown(state: HeadState): Shown;
  shade(state: HeadState, values: Float32Array): Shade;
  /** What a small picture's cells hold. */
  small(state: HeadState, layer: number, head: number): Small;
  /** What is said of a head in the grid. */
  tell(kind: Kind, layer: number, head: number): string;
  cellText(state: HeadState, value: number): string;
  /** Names the trace beside kind, layer and head. */
  traceKey(state: HeadState): string;
  /** The row that is spoken of, null where there is none. */
  focusRow(state: HeadState): number | null;
  /** The row that is outlined, null where none is. */
  markedRow(state: HeadState): number | null;
  /** The pinned cell and, where tokens can be pinned, the pinned token among those shown, or null. */
  pinned(state: HeadState): number[] | null;
  held?(state: HeadState): number[] | null;
  /** The part in view of what is shown. */
  part(state: HeadState): Part;
  pinOf(kind: Kind, cell: number[]): number[];
  /** Heads [layer, head] in the order of the grid, null for the model's own; and those that carry numbers. */
  ranking?(state: HeadState): number[][] | null;
  heads?(state: HeadState): number[][];
  gridHeight(): number;
  /** What stands below the grid, where that is not `grid_note`. */
  gridNote?(state: HeadState): string;
  /** Layouts of matrices that stand in one row with this one, its own among them; else it stands alone. */
  abreast?(own: import("./views/layout.js").Layout): import("./views/layout.js").Layout[];
  cursor(event: KeyboardEvent): void;
  /** Draws the lines of a head beside the chosen one's, or no more; false where that is not done. */
  keep?(head: number[]): boolean;
  /** Brings the large picture into sight. */
  reveal?(tapped: HTMLElement): void;
  flush(): void;
}

/** What a view of one trace may ask beside that (shown.js, inspector.js). */
export interface Inspecting extends App {
  language: string;
  root: HTMLElement;
  view: string;
  store: Store<Chosen>;
  model: import("./data/model.js").Model;
  exact: import("./data/exact.js").ExactHeads;
  /** A page without a server behind it. */
  alone: boolean;
  compare: Compared | null;
  headAt(layer: number, head: number): Head;
  held(state: HeadState): number[] | null;
  ranking(state: HeadState): number[][] | null;
  heads(state: HeadState): number[][];
  /** Last row of the stages. */
  stageRow(state: HeadState): number;
  kindName(kind: Kind): string;
  show(patch: Partial<Chosen>): Promise<void>;
  schedule(): void;
}

/** The second trace of a page, as views read it (views/comparison.js). */
export type Compared = ReturnType<typeof import("./views/comparison.js").comparisonOf>;

export interface Shape {
  temperature: number;
  topK: number;
  topP: number;
}

export interface Store<State> {
  get(): State;
  set(patch: Partial<State>): void;
  subscribe(listener: (state: State, before: State) => void): () => void;
}

/** What may stand in an element: text, nodes; null ones are left out. */
export type Child = string | Node | null | undefined;

/** Where the small pictures of a grid lie, in pixels (views/places.js). */
export interface Layout {
  cells: { layer: number; head: number; x: number; y: number }[];
  columns: number;
  cellWidth: number;
  cellHeight: number;
  gap: number;
  ruler: number;
  flows: boolean;
  width: number;
  height: number;
}

/** A second trace beside the first (viz/inspector/payload.py). */
export interface Compare {
  trace_id: string;
  role: "free" | "causal";
  label: string;
  base_label: string;
  read: Columns;
  written: Columns;
  next: NextEntry[] | null;
}

/** What is drawn on. */
export type Drawing = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** A token beside an axis, as wide as it is in the font that is set. */
export interface Label {
  text: string;
  dash: boolean;
  special: boolean;
  width: number;
}

/** Colours of everything that is drawn (views/colour.js). */
export interface Theme {
  dark: boolean;
  hues: Record<Kind, string>;
  several: string[];
  scales: Record<string, Uint32Array>;
  diverging: Uint32Array;
  background: string;
  text: string;
  muted: string;
  quiet: string;
  faint: string;
  line: string;
  accent: string;
  hatch: string;
  hatchFaint: string;
  font: string;
  key: string;
}

/** What Streamlit, or a page that has all within itself, hands to a mounted view. */
export interface Component<Data extends { meta: { ui: Ui } } = { meta: { ui: Ui } }> {
  parentElement: HTMLElement & { headlight?: Hook };
  data: Data;
  key?: string;
  /** Of a page that has all within itself: the text of its style sheets, and where its bytes are. */
  style?: string;
  source?: Ask;
  setStateValue?(name: string, value: Wanted): void;
  setTriggerValue?(name: string, value: unknown): void;
  /** Hears of every selection at once. */
  selected?(selection: Wanted): void;
}

/** What a mounted view answers to the page around it (viz/server/frame/frame.js), and to tests. */
export interface Hook {
  state(): object;
  /** Of what has a selection. */
  report?(): void;
  behind?(address: URLSearchParams, reported: boolean): boolean;
  rests?(): boolean;
  forget?(): void;
  owned?: string[];
}

/** What a host mounts (host.js): an inspector, a film, a comparison. */
export interface Mounted<State extends object = any> {
  store: Store<State>;
  /** Is there anything to choose? */
  readonly chosen: boolean;
  /** Milliseconds of events since the last draw. */
  handled: number;
  /** Hands something over to Python at once, with what is chosen. */
  trigger?(name: string, value: unknown): void;
  selection(state?: State): Wanted;
  adopt(wanted: Wanted): void;
  setTheme(theme: Theme): boolean;
  schedule(): void;
  draw(): void;
  state(): object;
  stop(): void;
}

/** A kind of view: what its module gives to `mounting` (host.js). */
export interface Mounting<View extends Mounted, Data extends { meta: { ui: Ui } }, Prepared> {
  /** Style sheets beside its module. */
  sheets: string[];
  /** How tests find it, where it is not what its page is about. */
  testid?: string;
  /** Pixels that are kept until they are here. */
  room: number;
  /** Names of the selection that the URL carries, and of those that are left out of it at their default. */
  parameters: string[];
  options?: string[];
  /** What makes the view another one. */
  shown(meta: Data["meta"]): unknown;
  /** What is not here yet. */
  prepare?(component: Component<Data>, wanted: Wanted | null, earlier: View | null): Promise<Prepared>;
  open(root: HTMLElement, data: Data, wanted: Wanted | null, earlier: View | null, prepared: Prepared): View;
}
