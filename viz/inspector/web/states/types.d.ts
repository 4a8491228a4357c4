// What modules of the states hand to each other, beside what is in ../types.d.ts.
import type { Columns, NextEntry, Store, Theme, Token, Ui, Wanted, Words } from "../types";
import type { Pairs } from "../compare/types";
import type { Sizes } from "../views/sizes.js";

export type Stack = "encoder" | "decoder";

/** What was recorded of one stack of recurrent layers. */
export interface Recording {
  stack: Stack;
  layers: number;
  units: number;
  /** By the formulas of its cell: states and gates, and what they were made of. */
  names: string[];
}

/** What is told of a trace's states (viz/inspector/states.py). */
export interface StatesMeta {
  trace_id: string;
  states: Recording[];
  source: Columns;
  read: Columns;
  /**
   * What may come next behind each token read, or what is told of each token of the source; null
   * where that is shown elsewhere, or unknown.
   */
  next: NextEntry[] | null;
  /** Whose tokens those are. */
  next_stack: Stack;
  /** What those of the encoder say of a token: what is near it; null: what the model answers. */
  foretells: string | null;
  ui: Ui;
}

/** The same of two traces; one of them may have no states. */
export interface StatesPairMeta {
  traces: (Omit<StatesMeta, "ui"> & { model_id: string })[];
  /** How tokens that each stack reads belong together. */
  alignment: Record<Stack, Pairs>;
  /** Unit 7 of one is unit 7 of the other. */
  same_units: boolean;
  ui: Ui;
}

/** What there is to choose from, of one trace or of two. */
export interface Shaped {
  stacks: Stack[];
  of(stack: Stack): Recording;
  /** What a stack reads, a token a step. */
  keys(stack: string): Token[];
  /** The step that is shown where none is asked for. */
  defaultPosition(stack: Stack): number;
}

/** What the controls ask of what they stand over. */
export interface Choosing {
  model: Shaped;
  words: Words;
  sizes: Sizes;
  store: { get(): Settled; set(patch: Partial<Settled>): void };
  adopt(wanted: Wanted): void;
  named(name: string): string;
}

/** What a heatmap knows of what is chosen. */
export interface HeatState {
  stack: Stack;
  /** -1: none of its tokens. */
  position: number;
  unit?: number | null;
  /** Unit and position that are pointed at. */
  hover: [number, number] | null;
  pointed: boolean;
}

/** What a heatmap asks of what it is a part of. */
export interface Heated {
  words: Words;
  theme: Theme;
  live: HTMLElement;
  sizes: Sizes;
  model: {
    meta: Pick<StatesMeta, "next" | "next_stack">;
    of(stack: Stack): Recording;
    keys(stack: string): Token[];
  };
  store: Pick<Store<HeatState>, "get" | "set">;
  /** (position, unit) of what is drawn; undefined where it is not here. */
  values(): Float32Array | undefined;
  /** Units as they are drawn, from above. */
  order(): number[];
  /** The chosen one, -1 for none. */
  unit(): number;
  /** How far the colours go to either side of 0. */
  reach(): number;
}

/** Which units are drawn, and in which order. */
export type Units = "most" | "varying" | "model";

/** What is chosen. Counts from 0. */
export interface Settled {
  stack: Stack;
  layer: number;
  /** The state or gate that is drawn. */
  name: string;
  position: number;
  /** null: the one that varies most. */
  unit: number | null;
  units: Units;
}

export interface StatesState extends Settled {
  /** Unit and position that are pointed at. */
  hover: [number, number] | null;
  /** By a pointer, and not by keys. */
  pointed: boolean;
}

/** What is chosen of two traces: `position` is a place of both. */
export interface PairState extends Settled {
  /** The picture that is pointed at, and unit and place there. */
  hover: { side: number; at: [number, number] } | null;
  pointed: boolean;
}

/** A gate or state of a step: its formula, with numbers in it, and what it is made of. */
export interface Formula {
  name: string;
  symbol: string;
  /** `_{}` lowers what is within. */
  formula: string;
  /** Holes are names of what was recorded. */
  numbers: string;
  parts: [string, string][];
}
