import { SOUND_MAX_SECONDS } from '#shared/sounds/contract.ts';

export interface Recorder {
  /** Ends the recording; it comes through `done`. */
  stop: () => void;
  /** Throws it away. */
  cancel: () => void;
}

/** Whether this browser can record at all; whether it may is asked later. */
export const canRecord = (): boolean =>
  typeof MediaRecorder !== 'undefined' && Boolean(navigator.mediaDevices?.getUserMedia);

/**
 * Records from the microphone, for as long as a sound may last. The browser asks the owner for it.
 * @throws with words for the person, when there is no microphone or it is not allowed
 */
export async function record(done: (recording: Blob) => void): Promise<Recorder> {
  let stream: MediaStream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  } catch (cause) {
    const isDenied = cause instanceof DOMException && cause.name === 'NotAllowedError';
    throw new Error(
      isDenied
        ? 'Microphone access is blocked. Check your browser’s settings for this site.'
        : 'No microphone found.',
      { cause },
    );
  }
  const recorder = new MediaRecorder(stream);
  const parts: Blob[] = [];
  let isWanted = true;
  const timer = setTimeout(() => stop(), SOUND_MAX_SECONDS * 1000);
  const stop = () => {
    clearTimeout(timer);
    if (recorder.state !== 'inactive') recorder.stop();
  };
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.onstop = () => {
    for (const track of stream.getTracks()) track.stop();
    if (isWanted) done(new Blob(parts, { type: recorder.mimeType }));
  };
  recorder.start();
  return {
    stop,
    cancel: () => {
      isWanted = false;
      stop();
    },
  };
}
