import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { DocumentReview, DocumentReviewDetails } from '../../../packages/client/src/generated/types.ts';
import { OPEN_DOCUMENTS } from '../../../src/domain/couriers/document.ts';
import { get, getPage, post } from '../api.ts';
import { look, view } from '../board.ts';
import { endsSoon } from '../file-links.ts';
import { connection, RELOAD_MS } from '../live.ts';
import { mayReview } from '../session.ts';

/** Most documents of the queue on the page. Each decision makes room for the next one. */
export const MOST_DOCUMENTS = 100;

type Queue = { readonly documents: readonly DocumentReview[]; readonly hasMore: boolean };

/** The documents that wait, oldest first; null until they are read. */
export const queue = signal<Queue | null>(null);
const read = signal<DocumentReviewDetails | null>(null);
/** The changes of documents that were answered. A list that was requested before the last one is out of date. */
let changes = 0;
/** The document that was decided last, until it has left the list. Its address may have opened it before the list is read. */
let decided: string | null = null;

/** The chosen document; null until it is read. */
export const opened = computed(() => (read.value?.id === view.value.document ? read.value : null));

/** Whether the console shows the review. Without the right to review, the address of the queue shows the deliveries. */
export const isReviewing = computed(() => mayReview.value && view.value.desk === 'documents');

/** Keeps the queue up to date if this member of staff may review. Returns a function that stops it. */
export function followQueue(): () => void {
  const stop = effect(() => {
    // Reads that failed while the connection was lost are repeated.
    if (connection.value === 'live' && mayReview.value) untracked(refresh);
  });
  const timer = setInterval(() => {
    if (mayReview.peek()) refresh();
  }, RELOAD_MS);
  return () => {
    stop();
    clearInterval(timer);
    batch(() => {
      queue.value = null;
      read.value = null;
    });
  };
}

/** Reads a document with a new link to its file. Throws `ServiceProblem` if the server refuses. */
export async function loadDocument(id: string): Promise<void> {
  take(await get<DocumentReviewDetails>(`/kyc/documents/${id}`, 'document'));
}

/** Takes a document into review, so that colleagues leave it alone. Throws `ServiceProblem` if the server refuses. */
export function startReview(document: DocumentReviewDetails): Promise<DocumentReviewDetails> {
  return act(document, 'review', {});
}

export type Decision =
  | { readonly decision: 'approve'; readonly expires_on?: string }
  | { readonly decision: 'reject'; readonly reason: string; readonly comment?: string };

/** Decides a document, and chooses the next one. Throws `ServiceProblem` if the server refuses. */
export async function decide(document: DocumentReviewDetails, decision: Decision): Promise<DocumentReviewDetails> {
  const answer = await act(document, 'decide', decision);
  decided = document.id;
  if (queue.value === null) refresh();
  else leaveDecided();
  return answer;
}

/** Takes the decided document from the list, once that is read, and chooses the next one if it is still open. */
function leaveDecided(): void {
  const id = decided;
  if (queue.value === null || id === null) return;
  decided = null;
  const { documents: before, hasMore } = queue.value;
  const at = before.findIndex((each) => each.id === id);
  const documents = before.filter((each) => each.id !== id);
  queue.value = { documents, hasMore };
  if (view.value.document === id) look({ document: (documents[Math.max(0, at)] ?? documents[0])?.id ?? null });
}

async function act(
  { id, version }: DocumentReviewDetails,
  verb: 'review' | 'decide',
  body: object,
): Promise<DocumentReviewDetails> {
  try {
    const answer = await post<DocumentReviewDetails>(`/kyc/documents/${id}/${verb}`, 'document', body, version);
    changes += 1;
    take(answer);
    return answer;
  } catch (error) {
    // A refusal usually means that a colleague was faster, so the page shows what they did.
    refresh();
    throw error;
  }
}

function take(next: DocumentReviewDetails): void {
  const known = read.value;
  if (next.id !== view.value.document || (known?.id === next.id && known.version > next.version)) return;
  batch(() => {
    read.value = next;
    if (queue.value === null) return;
    const documents = queue.value.documents.map((each) => (each.id === next.id ? { ...each, ...next } : each));
    queue.value = { ...queue.value, documents };
  });
}

function refresh(): void {
  readQueue().catch(() => {
    // The bar shows an unreachable server, and the next round reads again.
  });
}

async function readQueue(): Promise<void> {
  const before = changes;
  const list = await getPage<DocumentReview>(`/kyc/documents?limit=${MOST_DOCUMENTS}`);
  if (changes !== before) return readQueue();
  queue.value = { documents: list.data, hasMore: list.has_more };
  leaveDecided();
  const { document: id } = view.value;
  if (!isReviewing.value || id === null) return;
  const [shown, listed] = [opened.value, list.data.find((each) => each.id === id)];
  const isOld = shown === null || (listed === undefined ? isOpen(shown) : listed.version > shown.version);
  if (isOld || endsSoon(shown.file)) await loadDocument(id);
}

/** Says whether a document waits for a decision. */
export function isOpen({ status }: Pick<DocumentReview, 'status'>): boolean {
  return (OPEN_DOCUMENTS as readonly DocumentReview['status'][]).includes(status);
}
