import { optionsOf, type Option } from '../../ui/inputs/select-field.tsx';

/** A filter of a list, or its sort order. */
export interface Control<Name extends string = string, Value extends string = string> {
  /** The parameter's name in the address and in the call. */
  name: Name;
  label: string;
  /** The first is the default; its value is ''. */
  options: readonly (Option & { value: Value | '' })[];
}

/**
 * Creates a filter.
 * @param otherwise label of the default, such as 'All'
 * @param names labels of the values, in order
 */
export function control<const Name extends string, Value extends string>(
  name: Name,
  label: string,
  otherwise: string,
  names: Readonly<Record<Value, string>>,
): Control<Name, Value> {
  return { name, label, options: [{ value: '', name: otherwise }, ...optionsOf(names)] };
}

/** Creates the sort order of a list that shows the newest first by default. @param names labels of the other orders */
export const order = <Value extends string>(names: Readonly<Record<Value, string>>) =>
  control('sort', 'Order', 'Newest first', names);
