// Starts processes with clients and gives them orders.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Answer, Order, Seen, Work } from './orders.ts';

export type Crowd = {
  connect(clients: Extract<Order, { connect: object }>['connect']): Promise<void>;
  work(work: Work): Promise<NonNullable<Answer['worked']>>;
  seen(): Promise<readonly Seen[]>;
  /** Closes all connections. The process stays. */
  leave(): Promise<void>;
  end(): void;
};

/** Starts a process without clients yet. */
export function startCrowd(): Crowd {
  const child = fork(join(import.meta.dirname, 'crowd.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ask = (order: Order): Promise<Answer> => {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const fail = (): void => reject(new Error('a process with clients has ended'));
    child.once('exit', fail);
    child.once('message', (answer: Answer) => {
      child.off('exit', fail);
      if (answer.problem === undefined) resolve(answer);
      else reject(new Error(`the clients failed: ${answer.problem}`));
    });
    // Without a listener here, a process that has ended would end the bench too.
    child.send(order, (error) => {
      if (error !== null) reject(error);
    });
    return promise;
  };
  return {
    connect: async (clients) => void (await ask({ connect: clients })),
    work: async (work) => answered((await ask({ work })).worked),
    seen: async () => answered((await ask({ tell: true })).seen),
    leave: async () => void (await ask({ leave: true })),
    end: () => void child.kill('SIGKILL'),
  };
}

function answered<T>(part: T | undefined): T {
  if (part === undefined) throw new Error('the clients gave another answer');
  return part;
}
