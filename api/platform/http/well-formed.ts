import { wellFormedText } from '#shared/normalization/well-formed-text.ts';

/**
 * Makes all texts of an input well-formed. Names of fields are texts, too.
 * @param input parsed from JSON, a form or a query string; its objects are changed
 */
export function wellFormed(input: unknown): unknown {
  const whole = [input];
  const waiting: (unknown[] | Record<string, unknown>)[] = [whole];
  for (let holder = waiting.pop(); holder; holder = waiting.pop())
    for (const [name, value] of Object.entries(holder)) {
      const key = wellFormedText(name);
      const fitting = typeof value === 'string' ? wellFormedText(value) : value;
      if (typeof value === 'object' && value !== null)
        waiting.push(value as Record<string, unknown>);
      if (key === name && fitting === value) continue;
      const target = holder as Record<string, unknown>;
      if (key !== name) delete target[name];
      // Not by assignment, which `__proto__` would turn into something else.
      Object.defineProperty(target, key, {
        value: fitting,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  return whole[0];
}
