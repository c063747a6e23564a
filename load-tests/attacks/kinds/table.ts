// Every attack, in the order in which they run.
import type { Attack } from './attack.ts';
import { codeFlood, codeGuesses } from './code-guesses.ts';
import { connectFlood } from './connect-flood.ts';
import { idleStrangers } from './idle-strangers.ts';
import { joinChurn } from './join-churn.ts';
import { sprawlingBodies, strangersBodies } from './large-bodies.ts';
import { pingFlood } from './ping-flood.ts';
import { passwordBotnet, passwordGuesses } from './password-guesses.ts';
import { slowBodies } from './slow-bodies.ts';
import { unreadResync } from './unread-resync.ts';

export const ATTACKS: readonly Attack[] = [
  connectFlood,
  pingFlood,
  idleStrangers,
  joinChurn,
  unreadResync,
  passwordGuesses,
  passwordBotnet,
  codeGuesses,
  codeFlood,
  strangersBodies,
  sprawlingBodies,
  slowBodies,
];
