// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { messageId } from '#shared/chat/document.ts';
import { HOUR_MS } from '#shared/time.ts';
import { MessagePhoto } from '../../../client/features/chat/attachments/message-photo.tsx';
import { VoiceNote } from '../../../client/features/chat/attachments/voice-note.tsx';
import { renderScreen } from '../../render-screen.tsx';

test('a photo that the server doesn’t have is on its way for an hour, and then hasn’t arrived', async () => {
  const { pass, text } = await renderScreen(
    <MessagePhoto
      messageId={messageId('segment', 'key')}
      sentAt={new Date().toISOString()}
      photo={{ image_key: null, width: 4, height: 3 }}
      alt="Photo from Kim. Show it larger"
      onOpen={() => {}}
    />,
  );
  expect(text()).toContain('Photo on its way…');
  await pass(HOUR_MS - 60_000);
  expect(text()).toContain('Photo on its way…');
  await pass(2 * 60_000);
  expect(text()).toContain('This photo hasn’t arrived. It may not have been sent.');
});

test('so does a voice note', async () => {
  const { pass, text } = await renderScreen(
    <VoiceNote
      messageId={messageId('segment', 'key')}
      sentAt={new Date().toISOString()}
      voice={{ seconds: 7, sound_key: null }}
      author="Kim"
    />,
  );
  expect(text()).toContain('Voice note on its way…');
  await pass(HOUR_MS + 60_000);
  expect(text()).toContain('This voice note hasn’t arrived. It may not have been sent.');
});
