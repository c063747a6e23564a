import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Runs this at the end of the test that asks for it, or of the file if it is asked for before the tests. */
export function atEnd(end: () => Promise<void>): void {
  if (TestRunner.getCurrentTest() === undefined) afterAll(end);
  else onTestFinished(end);
}
