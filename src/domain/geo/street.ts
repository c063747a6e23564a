/** Streets are this much longer than a straight line (arXiv 2406.06490 finds about 1.3 on large networks). */
export const STREET_FACTOR = 1.35;
