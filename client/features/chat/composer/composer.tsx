import { MessageCircleOff, Mic, SendHorizontal, ShieldCheck } from 'lucide-react';
import {
  useState,
  useId,
  useLayoutEffect,
  useRef,
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  type ReactNode,
} from 'react';
import { sendMessage, uploadMessagePhoto, uploadMessageVoice } from '#shared/chat/contract.ts';
import { MESSAGE_MAX, PHOTO_TEXT, VOICE_TEXT } from '#shared/chat/rules.ts';
import type { SendOutcome } from '#shared/moderation/rules.ts';
import { messageOf } from '../../../platform/http/error-message.ts';
import { ShownError } from '../../../platform/http/shown-error.ts';
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx';
import { readPicture, type Picture } from '../../../platform/pictures/read-picture.ts';
import { useDocuments } from '../../../platform/sync/documents/use-document.ts';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { useDialogParam } from '../../../platform/ui/dialogs/use-dialog-param.ts';
import { ErrorBanner } from '../../../platform/ui/feedback/error-banner.tsx';
import { SanctionNotice } from '../../moderation/sanction-notice.tsx';
import { useAccountStatus } from '../../moderation/use-account-status.ts';
import { useGuidelinesAcceptance } from '../../moderation/use-guidelines-acceptance.ts';
import { useWordFilter } from '../../moderation/use-word-filter.ts';
import { WordWarning } from '../../moderation/word-warning.tsx';
import { attachmentsOf } from '../attachments/attachment-outbox.ts';
import type { OwnThread } from '../thread/use-thread.ts';
import type { NewExtras, ShownMessage } from '../types.ts';
import { AttachMenu } from './attach-menu.tsx';
import { NO_ROOM, PHOTOS_MAX, type VoiceDraft } from './attached.ts';
import { DraftCopy, EditBar, PhotoPreviews, ReplyBar } from './attachments.tsx';
import { HereDialog } from './here-dialog.tsx';
import { useAttached } from './use-attached.ts';
import { useDraft } from './use-drafts.ts';
import { useVoiceNote, VoiceBar, type Problem } from './voice-bar.tsx';

/** A message and what its text becomes. */
export interface MessageEdit {
  message: ShownMessage;
  text: string;
}

const PlacePicker = lazyComponent(() => import('./place-picker.tsx'));

/** The form to write a message, enabled once the guidelines are accepted, with the warnings of the word filter. */
export function Composer({
  thread,
  friendUserId,
  name,
  replyTo,
  onReplied,
  edit,
  onEdit,
  onEdited,
  onGuidelines,
}: {
  thread: OwnThread;
  friendUserId: string;
  name: string;
  /** The message to answer; null if none. */
  replyTo: ShownMessage | null;
  /** The answer is sent or canceled. */
  onReplied: () => void;
  /** The message that is being edited, with its new text; null if none. */
  edit: MessageEdit | null;
  /** Its text changes, or the editing is canceled. */
  onEdit: (edit: MessageEdit | null) => void;
  onEdited: (edit: MessageEdit) => void;
  onGuidelines: () => void;
}) {
  const documents = useDocuments();
  const { acceptedAt, isLoading } = useGuidelinesAcceptance();
  const { restriction } = useAccountStatus();
  const check = useWordFilter();
  const { text, copy, write: type, choose, clear } = useDraft(friendUserId);
  const [outcome, setOutcome] = useState<SendOutcome>('sent');
  const [failure, setFailure] = useState<Problem | null>(null);
  const { photos, hasRoomFor, change: attach } = useAttached(friendUserId);
  const { opened, open, close } = useDialogParam('message');
  const note = useVoiceNote(friendUserId, edit !== null, setFailure);

  async function addPhotos(files: readonly File[]) {
    setFailure(null);
    for (const file of files.slice(0, PHOTOS_MAX - photos.length))
      try {
        const read = await readPicture(file);
        if (!hasRoomFor(read.file)) throw new ShownError(NO_ROOM);
        attach((before) => ({ photos: [...before.photos, read].slice(0, PHOTOS_MAX) }));
      } catch (error) {
        setFailure({ title: 'Can’t add this photo', text: messageOf(error) });
      }
    if (files.length > PHOTOS_MAX - photos.length)
      setFailure({
        title: 'That’s too many photos',
        text: `You can send ${PHOTOS_MAX} at a time.`,
      });
  }

  /**
   * @param file the photo or recording that the message has
   * @returns null if it is not written; otherwise whether the file is stored with the message
   */
  function write(words: string, extras: NewExtras, file?: Blob): Promise<boolean> | null {
    let stored = Promise.resolve(true);
    const reference = replyTo && thread.referenceTo(replyTo);
    const isVoice = extras.voice !== undefined;
    try {
      const sent = thread.send(words, { ...extras, ...(reference && { replyTo: reference }) });
      const { failure: what } = isVoice ? uploadMessageVoice : uploadMessagePhoto;
      if (file && documents) {
        const outbox = attachmentsOf(documents);
        stored = outbox.add(friendUserId, sent, file, isVoice).then(
          () => outbox.whenStored(sent.key),
          (error: unknown) => {
            console.error(what, error);
            return false;
          },
        );
      }
    } catch (error) {
      // Hide the warning: it says that the message was sent.
      setOutcome('sent');
      setFailure({ title: sendMessage.failure, text: messageOf(error, 'Please send it again.') });
      return null;
    }
    onReplied();
    return stored;
  }

  /** @returns whether it is written, and no longer attached */
  function writePhoto(words: string, photo: Picture): boolean {
    const { width, height, file } = photo;
    const stored = write(words, { photo: { width, height } }, file);
    if (!stored) return false;
    attach((before) => ({ photos: before.photos.filter((each) => each !== photo) }), stored);
    return true;
  }

  function sendNote({ seconds, file }: VoiceDraft) {
    setFailure(null);
    const stored = write(VOICE_TEXT, { voice: { seconds } }, file);
    if (stored) note.discard(stored);
  }

  function send() {
    const wanted = edit?.text ?? text;
    const next = check(wanted);
    setFailure(null);
    setOutcome(next);
    if (next === 'blocked') return;
    if (edit) return onEdited({ ...edit, text: wanted.trim() });
    // The words are with the first photo.
    const [first, ...others] = photos;
    const isWritten = first
      ? writePhoto(text.trim() || PHOTO_TEXT, first)
      : write(text.trim(), {}) !== null;
    if (!isWritten) return;
    thread.setTyping(false);
    clear();
    // Those after one that can't be written stay attached.
    others.every((photo) => writePhoto(PHOTO_TEXT, photo));
  }

  const isNoting = !edit && (note.state.name === 'recording' || note.state.name === 'done');
  const isDisabled =
    !acceptedAt || restriction !== null || thread.isFrozen || thread.status !== 'ready';

  return (
    <div
      data-fills-window
      className="flex max-h-[65%] shrink-0 flex-col gap-3 overflow-y-auto border-t border-line bg-surface px-3 py-2.5 sm:px-4"
    >
      <SanctionNotice />
      {thread.isFrozen && !restriction && (
        <p role="status" className="flex gap-3 rounded-control bg-sunken p-3.5">
          <MessageCircleOff aria-hidden className="mt-0.5 size-5 shrink-0" />
          <span>You can’t send messages right now, but you can still read them.</span>
        </p>
      )}
      <WordWarning
        outcome={outcome}
        action={
          <Button look="quiet" className="-ml-5" onClick={onGuidelines}>
            Safety Guidelines
          </Button>
        }
      />
      {failure && <ErrorBanner title={failure.title}>{failure.text}</ErrorBanner>}
      <div className="flex flex-col gap-3 low:flex-row low:flex-wrap low:items-end">
        {!acceptedAt && !restriction && (
          <SafetyNotice isLoading={isLoading} onOpen={onGuidelines} />
        )}
        {replyTo && <ReplyBar message={replyTo} name={name} onCancel={onReplied} />}
        {copy !== null && (
          <DraftCopy text={copy} onUse={() => choose(copy)} onDiscard={() => choose(text)} />
        )}
        {photos.length > 0 && !edit && (
          <PhotoPreviews
            photos={photos}
            onRemove={(photo) =>
              attach((before) => ({ photos: before.photos.filter((each) => each !== photo) }))
            }
          />
        )}
        {edit && <EditBar onCancel={() => onEdit(null)} />}
        {isNoting && <VoiceBar note={note} onSend={sendNote} />}
        <Compose
          name={name}
          text={edit?.text ?? text}
          isHidden={isNoting}
          hasPhoto={edit ? edit.message.photo !== undefined : photos.length > 0}
          onRecord={!edit && photos.length === 0 ? note.start : null}
          isReply={replyTo !== null || edit !== null}
          isEdit={edit !== null}
          isDisabled={isDisabled}
          attach={
            !edit && (
              <AttachMenu
                isDisabled={isDisabled}
                onPhotos={(files) => void addPhotos(files)}
                onPlace={() => open('share-place')}
                onHere={() => open('share-here')}
              />
            )
          }
          onText={(next) => {
            setOutcome('sent');
            setFailure(null);
            if (edit) return onEdit({ ...edit, text: next });
            type(next);
            thread.setTyping(next.trim() !== '');
          }}
          onSend={send}
        />
      </div>
      <HereDialog
        open={opened === 'share-here'}
        name={name}
        onClose={close}
        onSend={(words) => {
          void write(words, {});
          void close();
        }}
      />
      {opened === 'share-place' && (
        <PlacePicker
          onClose={close}
          onPick={({ id, name: placeName }) => {
            void write(placeName, { placeId: id });
            void close();
          }}
        />
      )}
    </div>
  );
}

/** From this length on, the remaining room is shown. */
const COUNT_FROM = MESSAGE_MAX - 200;

/** On a phone's keyboard, Enter starts a new line; the button sends. */
const hasRealKeyboard = () => !window.matchMedia('(pointer: coarse)').matches;

/** Whether a key press belongs to an input method for Japanese, Chinese or Korean. Safari reports its last Enter with code 229. */
const isOfInputMethod = ({ isComposing, keyCode }: globalThis.KeyboardEvent): boolean =>
  isComposing || keyCode === 229;

/** An input that grows with its text. Enter sends, Shift+Enter starts a new line, Esc leaves it. */
function Compose({
  name,
  text,
  hasPhoto,
  isReply,
  isEdit,
  isDisabled,
  isHidden,
  attach,
  onRecord,
  onText,
  onSend,
}: {
  /** Of the recipient. */
  name: string;
  text: string;
  /** Whether the message has a photo, so that it needs no text. */
  hasPhoto: boolean;
  /** Whether it answers or edits a message: then the input gets the focus. */
  isReply: boolean;
  isEdit: boolean;
  isDisabled: boolean;
  /** Whether a voice note takes its place. */
  isHidden: boolean;
  /** The button that adds something. */
  attach: ReactNode;
  /** Begins a voice note; null if this browser can't record, or the message has something else. */
  onRecord: (() => void) | null;
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

  useEffect(() => {
    if (isReply) area.current?.focus();
  }, [isReply]);

  // What was pressed is gone with the voice note.
  const wasHidden = useRef(false);
  useEffect(() => {
    if (wasHidden.current && !isHidden) document.getElementById(`${id}-record`)?.focus();
    wasHidden.current = isHidden;
  }, [isHidden, id]);

  const excess = text.trim().length - MESSAGE_MAX;
  const canSend = !isDisabled && excess <= 0 && (hasPhoto || text.trim() !== '');
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
      hidden={isHidden}
      className="flex items-end gap-2 low:flex-1 low:basis-48 [&[hidden]]:hidden"
    >
      {attach}
      <div className="relative flex min-w-0 flex-1 flex-col">
        <label htmlFor={id} className="sr-only">
          Message to {name}
        </label>
        <textarea
          ref={area}
          id={id}
          data-takes-focus
          dir="auto"
          rows={1}
          value={text}
          disabled={isDisabled}
          placeholder={isDisabled ? '' : 'Message'}
          // A longer text is shown, for its author to shorten: the browser would cut what is pasted.
          aria-invalid={excess > 0}
          aria-describedby={`${id}-count safety-notice`}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
          className="max-h-36 min-h-12 w-full resize-none rounded-3xl border border-line-strong bg-surface px-4 py-2.5 text-ink placeholder:text-soft disabled:cursor-not-allowed disabled:bg-sunken"
        />
        {onRecord && text === '' && !isDisabled && (
          <IconButton
            id={`${id}-record`}
            Icon={Mic}
            label="Record a voice note"
            onClick={onRecord}
            className="absolute top-0.5 right-1 rounded-full text-soft"
          />
        )}
        <p
          id={`${id}-count`}
          className={`pt-1 pr-4 text-right text-sm tabular-nums empty:hidden ${excess > 0 ? 'font-bold text-poor' : 'text-soft'}`}
        >
          {excess > 0 && <span>{`Shorten it by ${excess} to send`}</span>}
          {excess <= 0 && text.length >= COUNT_FROM && (
            <span>{`${text.length} of ${MESSAGE_MAX}`}</span>
          )}
        </p>
      </div>
      <button
        type="submit"
        disabled={!canSend}
        aria-label={isEdit ? 'Save the edited message' : 'Send'}
        title={isEdit ? 'Save' : 'Send'}
        // Otherwise, a phone would close its keyboard with each message.
        onPointerDown={(event) => event.preventDefault()}
        className="inline-flex size-12 shrink-0 items-center justify-center rounded-full bg-accent text-on-accent hover:bg-accent-hover disabled:cursor-not-allowed disabled:bg-sunken disabled:text-soft"
      >
        <SendHorizontal aria-hidden className="size-5" />
      </button>
    </form>
  );
}

/** Shown until the user has accepted the guidelines, also while it is unknown whether they did: above the input, or next to it in a low window. */
function SafetyNotice({ isLoading, onOpen }: { isLoading: boolean; onOpen: () => void }) {
  return (
    <div className="flex flex-col gap-3 rounded-control bg-accent-soft p-3.5 low:bg-transparent low:p-0">
      <p id="safety-notice" className="flex gap-3 low:sr-only">
        <ShieldCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
        <span>
          <strong>Before your first message,</strong> please read and accept our Community Safety
          Guidelines. You only need to do this once.
        </span>
      </p>
      <Button onClick={onOpen} pending={isLoading && 'One moment…'}>
        Read the guidelines
      </Button>
    </div>
  );
}
