import { FileAudio, Mic, Play, Square } from 'lucide-react';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import type { SoundType } from '#shared/dogs/contract.ts';
import { SOUND_MAX_SECONDS, SOUND_NAME_MAX } from '#shared/sounds/contract.ts';
import { readWav, secondsOf } from '#shared/sounds/wav.ts';
import { useContentFilter } from '../moderation/use-content-filter.ts';
import { playWhole } from '../proximity/sound.ts';
import { useSettings } from '../settings/use-settings.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { Field } from '../ui/field.tsx';
import { canRecord, record, type Recorder } from './recorder.ts';
import { toWav } from './to-wav.ts';
import { useSoundLibrary } from './use-sounds.ts';

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Records a sound or takes a file, lets its owner hear it, and keeps it in the place of the usual one. */
export function SoundForm({ type, onDone }: { type: SoundType; onDone: () => void }) {
  const library = useSoundLibrary();
  const { volume } = useSettings().settings;
  const [name, setName] = useState('');
  const [missing, setMissing] = useState(false);
  const refusal = useContentFilter()('sound_name', { name })['name'];
  const [sound, setSound] = useState<{ wav: ArrayBuffer; filename: string | null } | null>(null);
  const [recorder, setRecorder] = useState<Recorder | null>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const running = useRef<Recorder | null>(null);
  const isLeft = useRef(false);
  const fileId = useId();
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
      running.current?.cancel();
    };
  }, []);

  async function take(source: Blob, filename: string | null) {
    setBusy(true);
    setProblem('');
    try {
      setSound({ wav: await toWav(source), filename });
      if (filename && !name) setName(filename.replace(/\.\w+$/, '').slice(0, SOUND_NAME_MAX));
    } catch (error) {
      setProblem(wordsOf(error));
    }
    setBusy(false);
  }

  async function startRecording() {
    setProblem('');
    // Until the browser has asked: pressed once more, a second microphone would run unseen.
    setBusy(true);
    try {
      const started = await record((recording) => {
        running.current = null;
        setRecorder(null);
        void take(recording, null);
      });
      if (isLeft.current) return started.cancel();
      running.current = started;
      setRecorder(started);
    } catch (error) {
      setProblem(wordsOf(error));
    }
    setBusy(false);
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    if (!name.trim()) return setMissing(true);
    if (refusal) return;
    if (!sound || !library) return;
    setBusy(true);
    try {
      const fields = { name: name.trim(), sound_type: type, image_filename: sound.filename };
      await library.add(fields, sound.wav);
      onDone();
    } catch (error) {
      console.error('Failed to save sound', error);
      setProblem('We couldn’t save this. Try again in a moment.');
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void save(event)} noValidate className="flex flex-col gap-5">
      <div className="flex flex-col gap-2.5">
        {canRecord() &&
          (recorder ? (
            <Button
              wide
              onClick={recorder.stop}
              icon={<Square aria-hidden className="size-5 shrink-0" />}
            >
              Stop recording
            </Button>
          ) : (
            <Button
              look="secondary"
              wide
              disabled={busy}
              onClick={() => void startRecording()}
              icon={<Mic aria-hidden className="size-5 shrink-0" />}
            >
              {sound ? 'Record again' : 'Record'}
            </Button>
          ))}
        <label
          htmlFor={fileId}
          className="inline-flex min-h-12 cursor-pointer items-center justify-center gap-2 rounded-control border border-line-strong px-4 font-bold hover:bg-sunken has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
        >
          <FileAudio aria-hidden className="size-5 shrink-0" />
          Choose a file
          <input
            id={fileId}
            type="file"
            accept="audio/*"
            disabled={busy || recorder !== null}
            className="sr-only"
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file) void take(file, file.name.slice(-255));
              // The same one may be chosen again.
              target.value = '';
            }}
          />
        </label>
        <p role="status" className="min-h-6 text-sm font-bold">
          {recorder && `Recording, for at most ${SOUND_MAX_SECONDS} seconds…`}
          {busy && 'One moment…'}
          {sound && !recorder && !busy && readyWords(sound)}
        </p>
        {sound && !recorder && (
          <Button
            look="secondary"
            wide
            onClick={() => void playWhole(sound.wav, volume)}
            icon={<Play aria-hidden className="size-5 shrink-0" />}
          >
            Hear it
          </Button>
        )}
      </div>
      <Field
        label="Name"
        value={name}
        onChange={(event) => {
          setName(event.target.value);
          setMissing(false);
        }}
        error={missing ? 'Required' : refusal}
        maxLength={SOUND_NAME_MAX}
        autoComplete="off"
        required
      />
      {problem && <ErrorBanner>{problem}</ErrorBanner>}
      <div className="actions">
        <Button look="secondary" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" wide disabled={!sound || busy || recorder !== null}>
          Save
        </Button>
      </div>
    </form>
  );
}

function readyWords({ wav, filename }: { wav: ArrayBuffer; filename: string | null }): string {
  const recording = readWav(new Uint8Array(wav));
  const seconds = recording ? secondsOf(recording).toFixed(1) : '0';
  return `${filename ?? 'Recorded'}: ${seconds} seconds`;
}
