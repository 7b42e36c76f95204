import { FileAudio, Mic, Play, Square } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import type { SoundType } from '#shared/dogs/contract.ts';
import { cutText } from '#shared/normalization/cut-text.ts';
import { SOUND_MAX_SECONDS, SOUND_NAME_MAX } from '#shared/sounds/rules.ts';
import { readWav, secondsOf } from '#shared/sounds/wav.ts';
import { Form } from '../../platform/forms/form.tsx';
import { InvalidForm, useSubmit } from '../../platform/forms/use-submit.ts';
import { canRecord, record, type Recorder } from '../../platform/recording/recorder.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { useContentFilter } from '../moderation/use-content-filter.ts';
import { useSettings } from '../settings/use-settings.ts';
import { playWhole } from './audio.ts';
import { toWav } from './to-wav.ts';
import { useSoundLibrary } from './use-sounds.ts';

/** Records a sound or takes a file, plays it, and saves it in place of the default sound. */
export function SoundForm({ type, onDone }: { type: SoundType; onDone: () => void }) {
  const library = useSoundLibrary();
  const { volume } = useSettings().settings;
  const [name, setName] = useState('');
  const refusal = useContentFilter()('sound_name', { name })['name'];
  const [sound, setSound] = useState<{ wav: ArrayBuffer; filename: string | null } | null>(null);
  const [recorder, setRecorder] = useState<Recorder | null>(null);
  const [busy, setBusy] = useState(false);
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
    form.clear();
    try {
      setSound({ wav: await toWav(source), filename });
      if (filename && !name) setName(cutText(filename.replace(/\.\w+$/, ''), SOUND_NAME_MAX));
    } catch (error) {
      form.showError(error);
    }
    setBusy(false);
  }

  async function startRecording() {
    form.clear();
    // Disabled while the browser asks: a second press would start another microphone unnoticed.
    setBusy(true);
    try {
      const started = await record(SOUND_MAX_SECONDS, (recording) => {
        running.current = null;
        setRecorder(null);
        void take(recording, null);
      });
      if (isLeft.current) return started.cancel();
      running.current = started;
      setRecorder(started);
    } catch (error) {
      form.showError(error);
    }
    setBusy(false);
  }

  const form = useSubmit(async () => {
    if (!name.trim()) throw new InvalidForm({ name: 'Required' });
    if (refusal) throw new InvalidForm({ name: refusal });
    if (!sound || !library) throw new InvalidForm({});
    try {
      const fields = { name: name.trim(), sound_type: type, image_filename: sound.filename };
      await library.add(fields, sound.wav);
    } catch (error) {
      console.error('Failed to save sound', error);
      throw new InvalidForm({}, 'We couldn’t save this. Try again in a moment.');
    }
    onDone();
  });

  return (
    <Form
      form={form}
      submit="Save"
      disabled={!sound || busy || recorder !== null}
      onCancel={onDone}
      isInView
      className="gap-5"
    >
      <div className="flex flex-col gap-2.5">
        {canRecord() &&
          (recorder ? (
            <Button wide onClick={recorder.stop} Icon={Square}>
              Stop recording
            </Button>
          ) : (
            <Button
              look="secondary"
              wide
              disabled={busy}
              onClick={() => void startRecording()}
              Icon={Mic}
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
              // Allows choosing the same file again.
              target.value = '';
            }}
          />
        </label>
        <p role="status" className="min-h-6 text-sm font-bold">
          {recorder && <span>{`Recording, for at most ${SOUND_MAX_SECONDS} seconds…`}</span>}
          {busy && <span>Preparing the sound…</span>}
          {sound && !recorder && !busy && readyWords(sound)}
        </p>
        {sound && !recorder && (
          <Button
            look="secondary"
            wide
            onClick={() => void playWhole(sound.wav, volume)}
            Icon={Play}
          >
            Play
          </Button>
        )}
      </div>
      <Field
        label="Name"
        value={name}
        onChange={(event) => {
          setName(event.target.value);
          form.clear('name');
        }}
        error={form.fields['name'] ?? refusal}
        maxLength={SOUND_NAME_MAX}
        autoComplete="off"
        required
      />
    </Form>
  );
}

function readyWords({ wav, filename }: { wav: ArrayBuffer; filename: string | null }): string {
  const recording = readWav(new Uint8Array(wav));
  const seconds = recording ? secondsOf(recording).toFixed(1) : '0';
  return `${filename ?? 'Recorded'}: ${seconds} seconds`;
}
