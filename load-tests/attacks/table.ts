// Every attack, in the order in which they run.
import type { Attack } from './attack.ts';
import { codeFlood, codeGuesses } from './code-guesses.ts';
import { connectFlood } from './connect-flood.ts';
import { passwordBotnet, passwordGuesses } from './password-guesses.ts';

export const ATTACKS: readonly Attack[] = [connectFlood, passwordGuesses, passwordBotnet, codeGuesses, codeFlood];
