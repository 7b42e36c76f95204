import type { z } from 'zod';

/** Each round repairs all that is wrong by then; nesting needs a few. */
const ROUNDS_MAX = 30;

type Path = readonly PropertyKey[];
type Parent = Record<PropertyKey, unknown>;

export interface ReadAnswer<A> {
  answer: A;
  /** Where something was left out, such as `locations.3.location_type`; empty when all was as expected. */
  leftOut: string[];
}

/**
 * Reads what a server says that may be newer than this app: it may have added a value to an enum, or changed a field. What does not
 * fit is left out: the field where it may be missing or null, else the element of the list that it is in, else what it is in.
 * @returns null where nothing is left that fits
 */
export function readAnswer<S extends z.ZodType>(
  schema: S,
  answer: unknown,
): ReadAnswer<z.output<S>> | null {
  const first = schema.safeParse(answer);
  if (first.success) return { answer: first.data, leftOut: [] };
  const repaired: unknown = structuredClone(answer);
  const leftOut = new Set<string>();
  /** How often each path was repaired so far: one step more each time. */
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
      for (const [list, gone] of elements) {
        const rest = list.filter((_, index) => !gone.has(index));
        list.splice(0, list.length, ...rest);
      }
      // The other elements have other places now.
      steps.clear();
    }
    const parsed = schema.safeParse(repaired);
    if (parsed.success) return { answer: parsed.data, leftOut: [...leftOut] };
    ({ issues } = parsed.error);
  }
  return null;
}

/**
 * One more step about what is wrong at a path: without the field, then with null, then without what it is in.
 * @param elements takes the elements of lists that are to go
 * @returns whether there is such a step
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
