// Loaded into each server before its own code (`node --import`). It moves the machine's clock in this process, without
// any support of the server. CHAOS_SKEWS_MS contains a skew in ms for each place in the fleet. A file in the data
// folder contains a step in ms. The process reads it at its start and again on SIGUSR2, so that a restarted server has
// the same clock.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLOCK_STEP_FILE } from './clock-step.ts';

const dataDir = process.env['DATA_DIR'] ?? '';
const skews = (process.env['CHAOS_SKEWS_MS'] ?? '').split(',').map(Number);
const place = Number(/server-(\d+)$/.exec(dataDir)?.[1] ?? 1) - 1;
const skewMs = skews[place % skews.length] ?? 0;
const stepFile = join(dataDir, CLOCK_STEP_FILE);
const machineNow = Date.now.bind(Date);
let stepMs = 0;

const readStep = (): void => void (stepMs = Number(readFileSync(stepFile, 'utf8')));
if (existsSync(stepFile)) readStep();
process.on('SIGUSR2', readStep);
Date.now = () => machineNow() + skewMs + stepMs;
globalThis.Date = new Proxy(Date, {
  construct: (date, given, made) => Reflect.construct(date, given.length === 0 ? [date.now()] : given, made) as object,
});
