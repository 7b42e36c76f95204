import { Mic, SendHorizontal, Square, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { VOICE_BYTES_MAX, VOICE_SECONDS_MAX } from '#shared/chat/rules.ts';
import { messageOf } from '../../../platform/http/error-message.ts';
import {
  canRecord,
  forSpeech,
  record,
  type Recorder,
} from '../../../platform/recording/recorder.ts';
import { clockWords, VoicePlayer } from '../../../platform/recording/voice-player.tsx';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { NO_ROOM, type VoiceDraft } from './attached.ts';
import { useAttached } from './use-attached.ts';

/** Why something that was chosen or recorded can't be sent. */
export interface Problem {
  title: string;
  text: string;
}

const CANT_RECORD = 'Can’t record';

/** The state of the composer's voice note: none, being recorded since a time, or recorded. */
type State =
  | { name: 'none' | 'asking' }
  | { name: 'recording' }
  /** `isKept`: from an earlier visit of the chat. */
  | { name: 'done'; draft: VoiceDraft; isKept: boolean };

/**
 * Records a voice note: a tap begins it, another one ends it. Nothing is sent before it was heard or sent by a tap.
 * @param isEditing whether a message is edited in its place, which ends a recording
 */
export function useVoiceNote(
  friendUserId: string,
  isEditing: boolean,
  onProblem: (problem: Problem | null) => void,
) {
  const { voice: draft, hasRoomFor, change } = useAttached(friendUserId);
  const [begun, setState] = useState<Exclude<State, { name: 'done' }>>({ name: 'none' });
  /** The last one of this visit. */
  const [recorded, setRecorded] = useState<Blob | null>(null);
  const state: State =
    draft && begun.name === 'none'
      ? { name: 'done', draft, isKept: draft.file !== recorded }
      : begun;
  const recorder = useRef<Recorder | null>(null);
  /** Counts starts, and what ends one while the browser asks. */
  const attempt = useRef(0);
  useEffect(
    () => () => {
      attempt.current++;
      recorder.current?.cancel();
    },
    [],
  );
  useEffect(() => {
    if (!isEditing) return;
    attempt.current++;
    recorder.current?.stop();
    setState((before) => (before.name === 'asking' ? { name: 'none' } : before));
  }, [isEditing]);

  function take(file: Blob, length: number) {
    recorder.current = null;
    const seconds = Math.min(VOICE_SECONDS_MAX, Math.max(1, Math.round(length)));
    setState({ name: 'none' });
    if (file.size > 0 && file.size <= VOICE_BYTES_MAX) {
      setRecorded(file);
      return change(() => ({ voice: { file, seconds } }));
    }
    onProblem(
      file.size === 0
        ? { title: CANT_RECORD, text: 'We heard nothing. Please try again.' }
        : { title: 'Can’t send this recording', text: 'It’s too large. Record a shorter one.' },
    );
  }

  async function start() {
    // Before it is recorded: it would be lost.
    if (!hasRoomFor({ size: VOICE_BYTES_MAX }))
      return onProblem({ title: CANT_RECORD, text: NO_ROOM });
    onProblem(null);
    // Disabled while the browser asks: a second press would start another microphone unnoticed.
    setState({ name: 'asking' });
    const mine = ++attempt.current;
    try {
      const started = await record(VOICE_SECONDS_MAX, take, forSpeech());
      if (attempt.current !== mine) return started.cancel();
      recorder.current = started;
      setState({ name: 'recording' });
    } catch (error) {
      if (attempt.current !== mine) return;
      setState({ name: 'none' });
      onProblem({ title: CANT_RECORD, text: messageOf(error) });
    }
  }

  return {
    state,
    start: canRecord() ? () => void start() : null,
    stop: () => recorder.current?.stop(),
    /** @param stored whether its message has it: until then, it stays on this device */
    discard: (stored?: Promise<boolean>) => {
      recorder.current?.cancel();
      recorder.current = null;
      change(() => ({ voice: null }), stored);
      setState({ name: 'none' });
    },
  };
}

/** The button that had it is gone. */
const takeFocus = (button: HTMLButtonElement | null) => button?.focus();

/** In place of the input while a voice note is recorded, and until it is sent or discarded. */
export function VoiceBar({
  note: { state, stop, discard },
  onSend,
}: {
  note: ReturnType<typeof useVoiceNote>;
  onSend: (draft: VoiceDraft) => void;
}) {
  const isDone = state.name === 'done';
  const round =
    'inline-flex size-12 shrink-0 items-center justify-center rounded-full bg-accent text-on-accent hover:bg-accent-hover';
  return (
    <div role="group" aria-label="Voice note" className="flex items-center gap-2">
      <IconButton
        Icon={Trash2}
        label={isDone ? 'Discard the voice note' : 'Cancel recording'}
        onClick={() => discard()}
        className="size-12 rounded-full border border-line-strong"
      />
      <div className="flex min-h-12 min-w-0 flex-1 items-center justify-center rounded-3xl border border-line bg-ground px-3">
        {state.name === 'done' ? (
          <VoicePlayer
            load={() => Promise.resolve(state.draft.file)}
            seconds={state.draft.seconds}
            label="your voice note"
          />
        ) : (
          <Clock />
        )}
      </div>
      {state.name === 'done' ? (
        <button
          key="send"
          ref={state.isKept ? null : takeFocus}
          type="button"
          aria-label="Send the voice note"
          title="Send"
          onClick={() => onSend(state.draft)}
          className={round}
        >
          <SendHorizontal aria-hidden className="size-5" />
        </button>
      ) : (
        <button
          key="stop"
          ref={takeFocus}
          type="button"
          aria-label="Stop recording"
          title="Stop"
          onClick={stop}
          className={round}
        >
          <Square aria-hidden className="size-5 fill-current" />
        </button>
      )}
    </div>
  );
}

/** How long it has been recorded. */
function Clock() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const from = performance.now();
    const timer = setInterval(() => setSeconds((performance.now() - from) / 1000), 250);
    return () => clearInterval(timer);
  }, []);
  const shown = Math.min(seconds, VOICE_SECONDS_MAX);
  return (
    <p className="flex items-center gap-2">
      <Mic aria-hidden className="size-5 shrink-0 text-poor" />
      <span role="status">Recording</span>
      <span className="tabular-nums">
        {clockWords(shown)}
        <span className="text-soft"> of {clockWords(VOICE_SECONDS_MAX)}</span>
      </span>
    </p>
  );
}
