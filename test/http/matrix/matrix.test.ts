import { expect, test } from 'vitest';
import { kindsWithoutMaker, listCells, openMatrix, wrongCells } from './matrix.ts';

const matrix = await openMatrix('matrix');
/** This test sends one request of four. With 14 callers and 5 kinds of ids, each route and each caller is among them. */
const ONE_OF = 4;

test('[H140] each caller reaches on each route what belongs to them, and all else is absent: a part', async () => {
  const cells = listCells(matrix).filter((_cell, index) => index % ONE_OF === 0);
  expect(await wrongCells(matrix, cells)).toEqual([]);
  expect(cells.length).toBeGreaterThan(3000 / ONE_OF);
});

test('[H141] the matrix has an object of each kind that a path names', () => {
  expect(kindsWithoutMaker()).toEqual([]);
});
