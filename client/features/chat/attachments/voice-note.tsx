import type { MessageVoice } from '#shared/chat/document.ts';
import { splitMessageId } from '#shared/chat/document.ts';
import { getFile } from '#shared/files/contract.ts';
import { CallError, pathOf } from '../../../platform/http/api-client.ts';
import { VoicePlayer } from '../../../platform/recording/voice-player.tsx';
import { useUser } from '../../../platform/session/use-auth.tsx';
import { noteFile } from './attachment-cache.ts';
import { useAttachments, useIsLate } from './use-attachments.ts';

/** The recording of a message: from this device until the server has it. */
export function VoiceNote({
  messageId,
  sentAt,
  voice: { seconds, sound_key },
  author,
}: {
  messageId: string;
  sentAt: string;
  voice: MessageVoice;
  /** "you", or the name of the friend. */
  author: string;
}) {
  const userId = useUser()?.id ?? '';
  const { documentId, key } = splitMessageId(messageId);
  const waiting = useAttachments().get(key);
  if (!waiting && sound_key === null) return <MissingVoiceNote sentAt={sentAt} />;
  const load = async (): Promise<Blob | string> => {
    if (waiting || sound_key === null) return waiting?.url ?? '';
    const response = await fetch(pathOf(getFile, { key: sound_key }));
    if (!response.ok) throw new CallError(getFile.failure, response.status, 'failed');
    noteFile(userId, sound_key, `automerge:${documentId}`);
    return response.blob();
  };
  return (
    <>
      <VoicePlayer load={load} seconds={seconds} label={`the voice note from ${author}`} />
      {waiting?.state === 'refused' && (
        <p className="text-sm font-bold">
          {waiting.problem || 'This voice note couldn’t be sent.'}
        </p>
      )}
    </>
  );
}

/** In place of a recording that the server doesn't have. */
function MissingVoiceNote({ sentAt }: { sentAt: string }) {
  return (
    <p>
      {useIsLate(sentAt)
        ? 'This voice note hasn’t arrived. It may not have been sent.'
        : 'Voice note on its way…'}
    </p>
  );
}
