import { optionsOf, type Option } from '../../ui/select-field.tsx';

/** One of the choices of a list: a filter, or its order. */
export interface Control<Name extends string = string, Value extends string = string> {
  /** The parameter's name, in the address and in the call. */
  name: Name;
  label: string;
  /** The first is what holds when nothing is chosen; its value is ''. */
  options: readonly (Option & { value: Value | '' })[];
}

/**
 * @param otherwise what is said when nothing is chosen, such as 'All'
 * @param names what may be chosen, in this order, and how each is called
 */
export function control<const Name extends string, Value extends string>(
  name: Name,
  label: string,
  otherwise: string,
  names: Readonly<Record<Value, string>>,
): Control<Name, Value> {
  return { name, label, options: [{ value: '', name: otherwise }, ...optionsOf(names)] };
}

/** The order of a list that has the newest first. @param names the other orders that it offers */
export const order = <Value extends string>(names: Readonly<Record<Value, string>>) =>
  control('sort', 'Order', 'Newest first', names);
