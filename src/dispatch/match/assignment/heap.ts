/** A binary heap of nodes, the one with the least key first; the keys stand outside, by node. */
export type Heap = { readonly nodes: Int32Array; readonly placeOf: Int32Array; size: number };

const NOWHERE = -1;

/** An empty heap for nodes 0 up to `count`. */
export function createHeap(count: number): Heap {
  return { nodes: new Int32Array(count), placeOf: new Int32Array(count).fill(NOWHERE), size: 0 };
}

/** Takes the node in, or moves it up after its key fell. */
export function raise(heap: Heap, keys: Float64Array, node: number): void {
  const { nodes, placeOf } = heap;
  const key = keys[node]!;
  let at = placeOf[node] === NOWHERE ? heap.size++ : placeOf[node]!;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const other = nodes[parent]!;
    if (keys[other]! <= key) break;
    nodes[at] = other;
    placeOf[other] = at;
    at = parent;
  }
  nodes[at] = node;
  placeOf[node] = at;
}

/** Takes the first node out; the heap is not empty. */
export function takeFirst(heap: Heap, keys: Float64Array): number {
  const { nodes, placeOf } = heap;
  const first = nodes[0]!;
  placeOf[first] = NOWHERE;
  const size = --heap.size;
  if (size === 0) return first;
  const node = nodes[size]!;
  const key = keys[node]!;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && keys[nodes[child + 1]!]! < keys[nodes[child]!]!) child += 1;
    const other = nodes[child]!;
    if (keys[other]! >= key) break;
    nodes[at] = other;
    placeOf[other] = at;
    at = child;
  }
  nodes[at] = node;
  placeOf[node] = at;
  return first;
}

/** Empties the heap. */
export function clear(heap: Heap): void {
  for (let at = 0; at < heap.size; at += 1) heap.placeOf[heap.nodes[at]!] = NOWHERE;
  heap.size = 0;
}
