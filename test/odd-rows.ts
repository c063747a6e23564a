/** The option with which a test stores, on purpose, rows that do not have the shape of their collection. */
export const ODD = { bypassDocumentValidation: true } as const;
