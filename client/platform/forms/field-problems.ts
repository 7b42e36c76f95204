import { createContext } from 'react';

/** What is wrong with the fields of a form, by the ID of the input. */
export const FieldProblems = createContext<Readonly<Record<string, string>>>({});

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** What is wrong with an input by its own attributes, in words; null if nothing is. */
function problemOf(input: Input): string | null {
  const { validity, value, required } = input;
  const isTicked = input.type === 'checkbox' || input.type === 'radio';
  // `useSubmit` names those that have a name.
  if (validity.badInput) return input.name ? null : 'Please enter a number';
  if (validity.valueMissing || (required && !isTicked && value.trim() === ''))
    return isTicked
      ? 'Please confirm this'
      : input instanceof HTMLSelectElement
        ? 'Please choose one'
        : 'Please fill this in';
  if (input instanceof HTMLSelectElement) return null;
  const { minLength, maxLength } = input;
  const { length } = value.trim();
  if (length > 0 && length < minLength) return `Please write at least ${minLength} characters`;
  if (maxLength > 0 && length > maxLength) return `Please shorten it by ${length - maxLength}`;
  if (input instanceof HTMLTextAreaElement) return null;
  if (validity.rangeUnderflow || validity.rangeOverflow)
    return input.max === ''
      ? `Please enter ${input.min} or more`
      : input.min === ''
        ? `Please enter ${input.max} or less`
        : `Please enter ${input.min} to ${input.max}`;
  if (validity.stepMismatch) return 'Please enter a whole number';
  if (validity.typeMismatch)
    return input.type === 'email' ? 'Please enter an email address' : 'Please enter a link';
  return validity.valid ? null : 'Please check this';
}

/**
 * Returns what is wrong with the inputs of a form by their attributes, such as `required` and `min`, by the ID of the input. Shown
 * as all other errors, because the bubbles of browsers vanish, are small, and are in the browser's language.
 */
export function problemsOf(form: HTMLFormElement): Record<string, string> {
  const found: Record<string, string> = {};
  for (const input of form.querySelectorAll<Input>('input, textarea, select')) {
    const problem = input.disabled ? null : problemOf(input);
    if (problem !== null && input.id) found[input.id] = problem;
  }
  return found;
}
