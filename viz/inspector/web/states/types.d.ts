// What modules of the states hand to each other, beside what is in ../types.d.ts.
import type { Columns, NextEntry, Ui } from "../types";

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
