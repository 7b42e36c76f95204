import { SendHorizontal } from 'lucide-react';
import { useId, useLayoutEffect, useRef, type FormEvent, type KeyboardEvent } from 'react';
import { MESSAGE_MAX } from '#shared/chat/contract.ts';

/** From here on it says how much room is left. */
const COUNT_FROM = MESSAGE_MAX - 200;

/** On a telephone's keyboard Enter is how one begins a new line: the button beside it sends. */
const hasRealKeyboard = () => !window.matchMedia('(pointer: coarse)').matches;

/**
 * Whether a press belongs to what writes Japanese, Chinese or Korean: the Enter that takes its words over. Safari says that only
 * after it is over, by a code of its own.
 */
const isOfInputMethod = ({ isComposing, keyCode }: globalThis.KeyboardEvent): boolean =>
  isComposing || keyCode === 229;

/** Where a message is written: grows with it, Enter sends, Shift+Enter begins a new line, Esc leaves. */
export function Compose({
  name,
  text,
  isDisabled,
  onText,
  onSend,
}: {
  /** Whom it goes to. */
  name: string;
  text: string;
  isDisabled: boolean;
  onText: (text: string) => void;
  onSend: () => void;
}) {
  const id = useId();
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const { current } = area;
    if (!current) return;
    current.style.height = 'auto';
    if (text !== '') current.style.height = `${current.scrollHeight + 2}px`;
  }, [text]);

  const canSend = !isDisabled && text.trim() !== '';
  const send = () => {
    if (!canSend) return;
    onSend();
    area.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isOfInputMethod(event.nativeEvent)) return;
    if (event.key === 'Escape') area.current?.blur();
    if (event.key !== 'Enter' || event.shiftKey || !hasRealKeyboard()) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send();
      }}
      className="flex items-end gap-2 low:flex-1 low:basis-48"
    >
      <div className="flex min-w-0 flex-1 flex-col">
        <label htmlFor={id} className="sr-only">
          Message to {name}
        </label>
        <textarea
          ref={area}
          id={id}
          dir="auto"
          rows={1}
          value={text}
          disabled={isDisabled}
          placeholder={isDisabled ? '' : 'Message'}
          maxLength={MESSAGE_MAX}
          aria-describedby={`${id}-count safety-notice`}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
          className="max-h-36 min-h-12 w-full resize-none rounded-3xl border border-line-strong bg-surface px-4 py-2.5 text-ink placeholder:text-soft disabled:cursor-not-allowed disabled:bg-sunken"
        />
        <p
          id={`${id}-count`}
          className="pt-1 pr-4 text-right text-sm text-soft tabular-nums empty:hidden"
        >
          {text.length >= COUNT_FROM && `${text.length} of ${MESSAGE_MAX}`}
        </p>
      </div>
      <button
        type="submit"
        disabled={!canSend}
        aria-label="Send"
        title="Send"
        // Or the keyboard of a phone would close with each message.
        onPointerDown={(event) => event.preventDefault()}
        className="inline-flex size-12 shrink-0 items-center justify-center rounded-full bg-accent text-on-accent hover:bg-accent-hover disabled:cursor-not-allowed disabled:bg-sunken disabled:text-soft"
      >
        <SendHorizontal aria-hidden className="size-5" />
      </button>
    </form>
  );
}
