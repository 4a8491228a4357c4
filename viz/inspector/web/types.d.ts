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
  shares: boolean;
  traits: Record<string, number[][]>;
}

/** What may come next at a step, most likely first. */
export interface NextEntry {
  ids: number[];
  texts: string[];
  specials: (string | null)[];
  p: number[];
  chosen: number;
  others: number;
  rank: number | null;
}

export interface Candidate {
  id: number;
  text: string;
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
}

/** What is told of a trace (viz/inspector/pack.py). */
export interface Meta {
  trace_id: string;
  sites: Site[];
  source: Columns;
  read: Columns;
  written: Columns;
  next: NextEntry[] | null;
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
export interface Place {
  kind: Kind;
  layer: number;
  head: number;
  step: number;
  pinned: number[] | null;
}

/** How many there are of each kind, and of steps: all that a selection has to fit. */
export interface Extents {
  kinds: Kind[];
  sites: Map<Kind, Pick<Site, "layers" | "heads" | "rows" | "columns">>;
  steps: number;
}

/** What an inspector has chosen: where, and how it is drawn (options.js). Counts from 0. */
export interface Chosen extends Place {
  hover: number[] | null;
  pointed: boolean;
  stages: boolean;
  shape: Shape;
  shaping: boolean;
}

/** The numbers of one head, exact or as they were packed. */
export interface Head {
  weights: Float32Array;
  scores: Float32Array | null;
  shares: Float32Array | null;
  status: string;
}

/**
 * What views ask of the numbers that they draw: of a trace (data/model.js), of the same in words
 * (views/units.js), of two traces (compare/both.js). `other` is the head of the second.
 */
export interface Seen {
  kinds: Kind[];
  sites: Map<Kind, Site>;
  steps: number;
  read: Token[];
  written: Token[];
  site(kind: Kind): Site;
  has(kind: Kind): boolean;
  load(kind: Kind): Promise<void>;
  queries(kind: Kind): Token[];
  keys(kind: Kind): Token[];
  rowsAt(kind: Kind, step: number | null): number;
  allowed(kind: Kind, layer: number, head: number, other?: unknown): Uint8Array;
  weights(kind: Kind, layer: number, head: number): Float32Array;
}

/** What a view asks of the inspector that it is drawn in (shown.js, view.js). */
export interface App {
  root: HTMLElement;
  model: Seen;
  /** What rows and columns are of: pieces, or the words made of them. */
  seen: Seen;
  store: Store<Chosen>;
  exact: import("./data/exact.js").ExactHeads;
  sizes: import("./views/sizes.js").Sizes;
  words: Words;
  language: string;
  theme: Theme;
  /** A page without a server behind it. */
  alone: boolean;
  current(): Head;
  stageRow(state: Place): number;
  kindName(kind: Kind): string;
  /** What a cell between words is made of, as lines of its tip. */
  madeOf?(state: Chosen, at: number[]): [string, Record<string, string>][];
  pick(at: number[]): void;
  show(patch: Partial<Chosen>): Promise<void>;
  schedule(): void;
}

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
  role: "free" | "causal" | "lifted";
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
