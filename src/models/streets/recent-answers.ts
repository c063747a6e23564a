import type { Clock } from '../../ports/process.ts';

/** `size` is in characters, and `at` is the machine time of the answer. */
type Known<A> = { readonly answer: A; readonly size: number; readonly at: number };

/** A routing server may get newer streets. Machine time. */
const LIFE_MS = 3_600_000;

/** Answers of a routing server that came within the last hour. If the memory is full, the oldest answer makes room. */
export class RecentAnswers<A> {
  readonly #clock: Clock;
  readonly #mostCharacters: number;
  readonly #sizeOf: (answer: A) => number;
  /** In the order of the answers. */
  readonly #known = new Map<string, Known<A>>();
  #size = 0;

  /** @param sizeOf the characters that an answer takes, about */
  constructor(clock: Clock, mostCharacters: number, sizeOf: (answer: A) => number) {
    this.#clock = clock;
    this.#mostCharacters = mostCharacters;
    this.#sizeOf = sizeOf;
  }

  /** The answer to this question; undefined if none is remembered. */
  find(question: string): A | undefined {
    const known = this.#known.get(question);
    return known !== undefined && this.#clock.real.elapsed() - known.at < LIFE_MS ? known.answer : undefined;
  }

  /** Remembers an answer, in place of an older one to the same question. */
  keep(question: string, answer: A): void {
    const size = question.length + this.#sizeOf(answer);
    // Deleted first, so that the map is in the order of the answers.
    this.#size += size - (this.#known.get(question)?.size ?? 0);
    this.#known.delete(question);
    this.#known.set(question, { answer, size, at: this.#clock.real.elapsed() });
    for (const [oldest, { size: freed }] of this.#known) {
      if (this.#size <= this.#mostCharacters) break;
      this.#known.delete(oldest);
      this.#size -= freed;
    }
  }

  /** Forgets everything: another server may have other streets. */
  forgetAll(): void {
    this.#known.clear();
    this.#size = 0;
  }
}
