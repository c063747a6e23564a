/** A label and its value. */
export type PaperFact = readonly [label: string, value: string];

/** A column of the table. Its width is a share of the page. Numbers stand at its right edge. */
export type PaperColumn = { readonly heading: string; readonly width: number; readonly isNumber: boolean };

/**
 * A document for people, such as an invoice. It has all texts in the order in which they are read, and no layout. Equal
 * papers are printed as equal bytes.
 */
export type Paper = {
  readonly title: string;
  readonly facts: readonly PaperFact[];
  readonly parties: readonly { readonly heading: string; readonly lines: readonly string[] }[];
  readonly columns: readonly PaperColumn[];
  readonly rows: readonly (readonly string[])[];
  /** The last one is the result. */
  readonly totals: readonly PaperFact[];
  readonly notes: readonly string[];
  /** The name of the document at the foot of each page. */
  readonly footer: string;
  /** The time that the file names as its creation, ms. */
  readonly createdAt: number;
};
