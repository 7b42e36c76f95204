import type { z } from 'zod';

/** Each round repairs all current issues; nested ones need several rounds. */
const ROUNDS_MAX = 30;

type Path = readonly PropertyKey[];
type Parent = Record<PropertyKey, unknown>;

export interface ReadAnswer<A> {
  answer: A;
  /** Paths of removed values, such as `locations.3.location_type`; empty if everything was as expected. */
  leftOut: string[];
}

/**
 * Reads the answer of a server that may be newer than this app, with new enum values or changed fields. Removes values that don't
 * fit: the field if it is optional or nullable, else its list element, else its parent.
 * @returns null if nothing valid is left
 */
export function readAnswer<S extends z.ZodType>(
  schema: S,
  answer: unknown,
): ReadAnswer<z.output<S>> | null {
  const first = schema.safeParse(answer);
  if (first.success) return { answer: first.data, leftOut: [] };
  const repaired: unknown = structuredClone(answer);
  const leftOut = new Set<string>();
  /** How often each path has been repaired; each time by a stronger step. */
  const steps = new Map<string, number>();
  let issues: readonly { path: Path }[] = first.error.issues;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const elements = new Map<unknown[], Set<number>>();
    for (const { path } of issues) {
      const name = path.join('.');
      const step = steps.get(name) ?? 0;
      steps.set(name, step + 1);
      if (!repair(repaired, path, step, elements)) return null;
      leftOut.add(name);
    }
    if (elements.size > 0) {
      for (const [list, removed] of elements) {
        const rest = list.filter((_, index) => !removed.has(index));
        list.splice(0, list.length, ...rest);
      }
      // The remaining elements have new indexes.
      steps.clear();
    }
    const parsed = schema.safeParse(repaired);
    if (parsed.success) return { answer: parsed.data, leftOut: [...leftOut] };
    ({ issues } = parsed.error);
  }
  return null;
}

/**
 * Repairs a path by one step: removes the field, then sets it to null, then removes its parent.
 * @param elements collects list elements to remove
 * @returns whether a step was possible
 */
function repair(
  root: unknown,
  path: Path,
  step: number,
  elements: Map<unknown[], Set<number>>,
): boolean {
  const key = path.at(-1);
  if (key === undefined) return false;
  const parent = valueAt(root, path.slice(0, -1));
  if (Array.isArray(parent)) {
    elements.set(parent, (elements.get(parent) ?? new Set()).add(Number(key)));
    return true;
  }
  if (typeof parent !== 'object' || parent === null)
    return repair(root, path.slice(0, -1), step, elements);
  if (step === 0) delete (parent as Parent)[key];
  else if (step === 1) (parent as Parent)[key] = null;
  else return repair(root, path.slice(0, -1), step - 2, elements);
  return true;
}

function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path)
    value = typeof value === 'object' && value !== null ? (value as Parent)[key] : undefined;
  return value;
}
