/** The effect of one rule on a price. Amounts are minor units, rates are basis points. Keys are wire form. */
export type RuleTerms =
  /** A fixed part. */
  | { readonly type: 'base'; readonly amount: number }
  /** For each km of the way. Each tenth that is begun counts. */
  | { readonly type: 'distance'; readonly per_km: number }
  /** For each kg that is begun above the free ones. */
  | { readonly type: 'weight'; readonly per_kg: number; readonly free_kg: number }
  /** For a delivery that starts at once. */
  | { readonly type: 'priority'; readonly amount: number }
  /** The demand raises the lines above by the factor that dispatch publishes, up to this one. */
  | { readonly type: 'surge'; readonly most_bp: number };

/** The rules that price a delivery: at most one of each type. */
export type PriceRule = { readonly terms: RuleTerms };
