// @vitest-environment jsdom
import { act, useEffect, useState } from 'react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { VOICE_BYTES_MAX } from '#shared/chat/rules.ts';
import { attachedOf, NO_ROOM } from '../../../client/features/chat/composer/attached.ts';
import { useVoiceNote, type Problem } from '../../../client/features/chat/composer/voice-bar.tsx';
import type { Picture } from '../../../client/platform/pictures/read-picture.ts';
import { useDocuments } from '../../../client/platform/sync/documents/use-document.ts';
import { renderScreen } from '../../render-screen.tsx';

vi.mock('../../../client/platform/sync/documents/use-document.ts', () => {
  const documents = {
    userId: 'ann',
    database: Promise.resolve(null),
    subscribe: () => () => {},
    getDocument: () => ({ status: 'loading', doc: null }),
    noteRefusing() {},
    noteUnreadable() {},
  };
  return { useDocuments: () => documents };
});

/** Grants the microphone, which records a number of bytes. @returns whether it is on */
function withMicrophone(bytes: number, granted: Promise<void> = Promise.resolve()) {
  const microphone = { isOn: false };
  const track = { stop: () => (microphone.isOn = false) };
  const getUserMedia = async () => {
    await granted;
    microphone.isOn = true;
    return { getTracks: () => [track] };
  };
  Object.defineProperty(navigator, 'mediaDevices', { value: { getUserMedia }, configurable: true });
  class Recording {
    static isTypeSupported = () => true;
    mimeType = 'audio/mp4';
    state = 'inactive';
    ondataavailable = (_event: { data: Blob }) => {};
    onstop = () => {};
    onstart = () => {};
    start() {
      this.state = 'recording';
    }
    stop() {
      this.state = 'inactive';
      queueMicrotask(() => {
        this.ondataavailable({ data: new Blob([new Uint8Array(bytes)]) });
        this.onstop();
      });
    }
  }
  vi.stubGlobal('MediaRecorder', Recording);
  onTestFinished(() => void vi.unstubAllGlobals());
  return microphone;
}

let note: ReturnType<typeof useVoiceNote>;
let problem: Problem | null;
let edit: (isEditing: boolean) => void;
let openChatWith: (friend: string) => void;
function Note({ friend }: { friend: string }) {
  const [isEditing, setEditing] = useState(false);
  const used = useVoiceNote(friend, isEditing, (next) => (problem = next));
  useEffect(() => {
    edit = setEditing;
  }, []);
  useEffect(() => {
    note = used;
  }, [used]);
  return null;
}
function Screen() {
  const [friend, setFriend] = useState('sam');
  useEffect(() => {
    openChatWith = setFriend;
  }, []);
  return <Note key={friend} friend={friend} />;
}
const start = () => act(async () => note.start?.());
/** No test leaves a note to the next. */
afterEach(() => act(async () => note.discard()));

test('a recording ends when a message is edited, and is kept', async () => {
  const microphone = withMicrophone(1_000);
  await renderScreen(<Screen />);
  await start();
  expect(note.state.name).toBe('recording');
  await act(async () => edit(true));
  expect(microphone.isOn).toBe(false);
  expect(note.state).toMatchObject({ name: 'done', draft: { file: { size: 1_000 } } });
});

test('a recorded note is still there after another chat, until it is discarded', async () => {
  withMicrophone(1_000);
  await renderScreen(<Screen />);
  await start();
  await act(async () => note.stop());
  const recorded = note.state;
  await act(async () => openChatWith('kim'));
  expect(note.state.name).toBe('none');
  await act(async () => openChatWith('sam'));
  expect(note.state).toEqual({ ...recorded, isKept: true });
  await act(async () => note.discard());
  await act(async () => openChatWith('kim'));
  await act(async () => openChatWith('sam'));
  expect(note.state.name).toBe('none');
});

test('none begins if a message is edited while the browser asks', async () => {
  let grant = () => {};
  const microphone = withMicrophone(1_000, new Promise((resolve) => (grant = resolve)));
  await renderScreen(<Screen />);
  await start();
  await act(async () => edit(true));
  await act(async () => grant());
  expect(note.state.name).toBe('none');
  expect(microphone.isOn).toBe(false);
});

test('none begins when all that is attached leaves no room for it', async () => {
  const microphone = withMicrophone(1_000);
  await renderScreen(<Screen />);
  const file = new File([new Uint8Array(64 * 1024 * 1024)], 'large');
  const files = attachedOf(useDocuments()!);
  const attach = (photos: Picture[]) =>
    act(() => files.change('kim', (before) => ({ ...before, photos })));
  await attach([{ file, width: 1, height: 1 }]);
  await start();
  expect(microphone.isOn).toBe(false);
  expect(problem).toEqual({ title: 'Can’t record', text: NO_ROOM });
  await attach([]);
  await start();
  expect(microphone.isOn).toBe(true);
});

test.each([
  [0, { title: 'Can’t record', text: 'We heard nothing. Please try again.' }],
  [
    VOICE_BYTES_MAX + 1,
    { title: 'Can’t send this recording', text: 'It’s too large. Record a shorter one.' },
  ],
])('a recording of %i bytes is not sent', async (bytes, told) => {
  withMicrophone(bytes);
  await renderScreen(<Screen />);
  await start();
  await act(async () => note.stop());
  expect(note.state.name).toBe('none');
  expect(problem).toEqual(told);
});
