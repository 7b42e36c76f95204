import { useCallback, useRef, useState, type FormEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { z } from 'zod';
import { fieldsOf } from '#shared/endpoint.ts';
import { newId } from '#shared/ids.ts';
import { CallError } from '../http/api-client.ts';
import { messageOf } from '../http/error-message.ts';
import { ShownError } from '../http/shown-error.ts';
import { problemsOf } from './field-problems.ts';

type Fields = Readonly<Record<string, string>>;
type KeyFor = (...values: unknown[]) => string;

const NO_PROBLEM = { message: '', fields: {} as Fields, isUnanswered: false };

/** A form that cannot be sent as it is. `fields` has a message for each invalid field; `message` is for the whole form. */
export class InvalidForm extends ShownError {
  readonly fields: Fields;

  constructor(fields: Fields, message = '') {
    super(message);
    this.name = 'InvalidForm';
    this.fields = fields;
  }
}

/** @throws InvalidForm if there is a message for any field */
export function requireValid(fields: Fields, message = ''): void {
  if (Object.keys(fields).length > 0) throw new InvalidForm(fields, message);
}

/** Returns the parsed value. @throws InvalidForm with the messages of the schema */
export function parseForm<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (error) throw new InvalidForm(fieldsOf(error));
  return data;
}

/** Messages for inputs whose text is no value yet, such as a date without a time: their `value` is empty. */
function incompleteFields(form: HTMLFormElement | null): Fields {
  const wrong: Record<string, string> = {};
  for (const { name, type, required, validity } of form?.querySelectorAll('input') ?? [])
    if (name && validity.badInput)
      wrong[name] =
        (type === 'number' ? 'Please enter a number' : 'Please enter a full date and time') +
        (required ? '' : ', or leave it empty');
  return wrong;
}

interface Settings {
  /** Message if there was no answer; by default the error's. */
  failure?: string;
  /** The form can be sent again after it was sent. */
  staysOpen?: boolean;
  /** Handles an error of sending in another way; what it throws is shown. An invalid form is always shown. @returns false to show the error */
  onError?: (error: unknown) => boolean | void | Promise<boolean | void>;
}

/** A text, or the event of an input that has one. */
export type Typed = string | { target: { value: string } };
const textOf = (typed: Typed): string => (typeof typed === 'string' ? typed : typed.target.value);

/** The props of an input of a form. */
export interface Bound<Name extends string> {
  name: Name;
  value: string;
  error: string | undefined;
  onChange: (typed: Typed) => void;
}

export interface Submit {
  ref: RefObject<HTMLFormElement | null>;
  onSubmit: (event: FormEvent) => void;
  isPending: boolean;
  /** What is wrong with the whole form. */
  message: string;
  /** What is wrong with each field. */
  fields: Fields;
  /** Whether the server did not answer. */
  isUnanswered: boolean;
  /** Shows why something failed, and focuses the first invalid field. */
  showError: (error: unknown) => void;
  /** Removes the messages of these fields and of the form, or all messages. */
  clear: (...names: string[]) => void;
  /** Binds inputs to the texts of a draft. */
  bind: <Name extends string>(
    draft: Readonly<Record<Name, string>>,
    change: (name: Name, text: string) => void,
  ) => (name: Name) => Bound<Name>;
}

/**
 * Sends a form, once at a time, and shows what is wrong with it at its fields or above its button.
 * @param send validates and sends; its `keyFor` is the idempotency key for a request: the same as long as the values are the same,
 * so that a lost answer makes nothing twice
 */
export function useSubmit(
  send: (keyFor: KeyFor) => unknown,
  { failure, staysOpen = false, onError }: Settings = {},
): Submit {
  const ref = useRef<HTMLFormElement>(null);
  const isRunning = useRef(false);
  const request = useRef({ values: '', key: '' });
  const [isPending, setPending] = useState(false);
  const [problem, setProblem] = useState(NO_PROBLEM);

  const show = (next: typeof NO_PROBLEM): boolean => {
    flushSync(() => setProblem(next));
    const first = ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    first?.focus();
    return Boolean(first);
  };

  const showError = (error: unknown) => {
    if (error instanceof InvalidForm)
      return void show({ ...NO_PROBLEM, fields: error.fields, message: messageOf(error) });
    const isAnswered = error instanceof CallError && error.status > 0;
    if (isAnswered && show({ ...NO_PROBLEM, fields: error.fields })) return;
    const message = isAnswered ? messageOf(error) : (failure ?? messageOf(error));
    show({ ...NO_PROBLEM, message, isUnanswered: error instanceof CallError && !isAnswered });
  };

  const clear = useCallback(
    (...names: string[]) =>
      setProblem(({ fields }) => {
        const others = Object.entries(fields).filter(([name]) => !names.includes(name));
        return { ...NO_PROBLEM, fields: names.length > 0 ? Object.fromEntries(others) : {} };
      }),
    [],
  );

  const keyFor: KeyFor = (...of) => {
    const values = JSON.stringify(of);
    if (request.current.values !== values) request.current = { values, key: newId() };
    return request.current.key;
  };

  const handle = async (error: unknown) => {
    if (error instanceof InvalidForm) return showError(error);
    try {
      if (!onError || (await onError(error)) === false) showError(error);
    } catch (cause) {
      showError(cause);
    }
  };

  const submit = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setProblem(NO_PROBLEM);
    setPending(true);
    try {
      requireValid(incompleteFields(ref.current));
      if (ref.current?.dataset['checks']) requireValid(problemsOf(ref.current));
      await send(keyFor);
      request.current.values = '';
      if (!staysOpen) return;
    } catch (error) {
      await handle(error);
    }
    isRunning.current = false;
    setPending(false);
  };

  return {
    ref,
    onSubmit: (event) => {
      event.preventDefault();
      void submit();
    },
    isPending,
    ...problem,
    showError,
    clear,
    bind: (draft, change) => (name) => ({
      name,
      value: draft[name],
      error: problem.fields[name],
      onChange: (typed) => {
        clear(name);
        change(name, textOf(typed));
      },
    }),
  };
}
