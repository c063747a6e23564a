/** A run of all mutants needs properties that draw the same values each time, and tests that keep their names. */
import fc from 'fast-check';

fc.configureGlobal({ seed: 1 });
