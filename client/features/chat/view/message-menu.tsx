import { Copy, Flag, Pencil, Reply, Undo2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useEffect, useRef } from 'react';
import { toast } from 'sonner';
import { EDIT_WITHIN_MS, PHOTO_TEXT, UNSEND_WITHIN_MS, type Reaction } from '#shared/chat/rules.ts';
import type { ShownMessage } from '../types.ts';
import { REACTIONS } from './reactions.ts';

/** An open menu: its message, what it opens beside on the screen, and what gets the focus back. */
export interface OpenMenu {
  message: ShownMessage;
  at: { x: number; y: number; width: number; height: number };
  opener: HTMLElement | null;
}

export interface MessageActions {
  onReply: (message: ShownMessage) => void;
  onReact: (message: ShownMessage, reaction: Reaction | null) => void;
  onEdit: (message: ShownMessage) => void;
  onUnsend: (message: ShownMessage) => void;
  onReport: (messageId: string) => void;
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success('Message copied');
  } catch {
    toast.error('This browser doesn’t allow copying. Select the text instead.');
  }
}

/** The server decides by its own clock; this only leaves out what is surely too late. */
const canUnsend = ({ isOwn, at, delivery, photo, voice }: ShownMessage): boolean =>
  isOwn &&
  delivery !== 'held' &&
  (delivery === 'device' ||
    photo?.image_key === null ||
    voice?.sound_key === null ||
    Date.now() - Date.parse(at) < UNSEND_WITHIN_MS);

/** A message that the server doesn't have yet is edited there, too, but a caption once its photo is there. */
const canEdit = ({ isOwn, at, delivery, photo, voice, placeId }: ShownMessage): boolean =>
  isOwn &&
  delivery !== 'held' &&
  photo?.image_key !== null &&
  !voice &&
  placeId === undefined &&
  (delivery === 'device' || Date.now() - Date.parse(at) < EDIT_WITHIN_MS);

/** A photo without words, or a voice note, has a text for older devices, which nobody wrote. */
const hasText = ({ text, photo, voice }: ShownMessage): boolean =>
  !voice && (!photo || text !== PHOTO_TEXT);

const item =
  'flex min-h-12 cursor-pointer items-center gap-3 rounded-control px-3 font-bold data-[highlighted]:bg-sunken data-[highlighted]:outline-none';

/** The menu of a message: reactions, reply, copy, and unsend or report. There is one for the whole list. */
export function MessageMenu({
  menu,
  name,
  isFrozen,
  actions,
  onClose,
}: {
  menu: OpenMenu | null;
  /** Of the friend. */
  name: string;
  /** Whether the user may not write for now. */
  isFrozen: boolean;
  actions: MessageActions;
  onClose: () => void;
}) {
  /** Runs after the menu has returned the focus, which a reply or a dialog takes. */
  const next = useRef<(() => void) | null>(null);
  const shown = useRef(menu);
  useEffect(() => {
    shown.current = menu;
  }, [menu]);
  if (!menu) return null;
  const { message, at, opener } = menu;
  const then = (run: () => void) => () => {
    next.current = run;
  };
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DropdownMenu.Trigger asChild>
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          aria-label="Message actions"
          style={{ left: at.x, top: at.y, width: at.width, height: at.height }}
          className="pointer-events-none fixed"
        />
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        aria-label="Message actions"
        align={message.isOwn ? 'end' : 'start'}
        collisionPadding={12}
        sideOffset={4}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          // This is late: a menu that was opened meanwhile would lose the focus, and close.
          if (!shown.current) opener?.focus({ preventScroll: true });
          next.current?.();
          next.current = null;
        }}
        className="z-40 max-w-[calc(100vw-24px)] rounded-card border border-line bg-surface p-1.5 text-ink shadow-lift"
      >
        {!message.isOwn && !isFrozen && (
          <DropdownMenu.RadioGroup
            aria-label="React"
            value={message.reaction ?? ''}
            className="flex flex-wrap border-b border-line pb-1"
          >
            {REACTIONS.map(({ reaction, symbol, name: word }) => (
              <DropdownMenu.RadioItem
                key={reaction}
                value={reaction}
                aria-label={word}
                onSelect={then(() =>
                  actions.onReact(message, message.reaction === reaction ? null : reaction),
                )}
                className="flex size-11 cursor-pointer items-center justify-center rounded-full text-2xl data-[highlighted]:bg-sunken data-[highlighted]:outline-none data-[state=checked]:bg-accent-soft"
              >
                {symbol}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        )}
        {!isFrozen && (
          <DropdownMenu.Item className={item} onSelect={then(() => actions.onReply(message))}>
            <Reply aria-hidden className="size-5 shrink-0" />
            Reply
          </DropdownMenu.Item>
        )}
        {hasText(message) && (
          <DropdownMenu.Item className={item} onSelect={then(() => void copy(message.text))}>
            <Copy aria-hidden className="size-5 shrink-0" />
            Copy
          </DropdownMenu.Item>
        )}
        {canEdit(message) && !isFrozen && (
          <DropdownMenu.Item className={item} onSelect={then(() => actions.onEdit(message))}>
            <Pencil aria-hidden className="size-5 shrink-0" />
            Edit
          </DropdownMenu.Item>
        )}
        {canUnsend(message) && (
          <DropdownMenu.Item className={item} onSelect={then(() => actions.onUnsend(message))}>
            <Undo2 aria-hidden className="size-5 shrink-0" />
            Unsend
          </DropdownMenu.Item>
        )}
        {!message.isOwn && (
          <DropdownMenu.Item
            className={`${item} text-poor`}
            onSelect={then(() => actions.onReport(message.id))}
          >
            <Flag aria-hidden className="size-5 shrink-0" />
            Report
            <span className="sr-only"> this message from {name}</span>
          </DropdownMenu.Item>
        )}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
