import { expect, test } from 'vitest';
import { listCells, openMatrix, wrongCells } from './matrix.ts';

const matrix = await openMatrix('whole_matrix');

test('[H140] each caller reaches on each route what belongs to them, and all else is absent: the whole matrix', async () => {
  const cells = listCells(matrix);
  expect(await wrongCells(matrix, cells)).toEqual([]);
  expect(cells.length).toBeGreaterThan(3000);
});
