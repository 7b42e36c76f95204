import { z } from 'zod';
import { endpoint, HEAVY_READ } from '../endpoint.ts';
import { imageUpload } from '../files/contract.ts';
import { wellFormedText } from '../normalization/well-formed-text.ts';
import { MESSAGE_MAX, DRAFT_MAX, PAGE_SIZE, VOICE_BYTES_MAX } from './rules.ts';

export const NOT_FRIENDS = "Friend not found or you're not friends with this user";
export const NO_FRIEND_INFORMATION = 'Failed to fetch friend information';

const userId = z.string().min(1).max(64);

/** The text of a message: trimmed and not empty. */
export const messageText = z
  .string()
  .overwrite(wellFormedText)
  .trim()
  .min(1, 'Required')
  .max(MESSAGE_MAX);

export const message = z.object({
  /** `messageId` of where it is, see document.ts. */
  id: z.string(),
  sender_user_id: z.string(),
  receiver_user_id: z.string(),
  message_text: z.string(),
  is_read: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type Message = z.infer<typeof message>;

export const conversation = z.object({
  friend_user_id: z.string(),
  friend_display_name: z.string(),
  /** Its whole text. */
  last_message: z.string(),
  /** Whether the caller wrote it. */
  is_own: z.boolean(),
  unread_count: z.number().int(),
  /** The time of that message. */
  last_activity: z.iso.datetime(),
});
export type Conversation = z.infer<typeof conversation>;

/** The text that the caller has not sent to a friend, and what another device had written that had not seen it. */
export const draft = z.object({
  friend_user_id: z.string(),
  text: z.string(),
  copy: z.string().nullable(),
  version: z.number().int(),
});

export const listDrafts = endpoint('GET', '/drafts', {
  isAtStart: true,
  access: 'member',
  answer: z.object({ drafts: z.array(draft) }),
  failure: 'Failed to fetch drafts',
});

/** Replaces the draft to a friend by the version of it that the caller has changed. An empty text removes it. */
export const saveDraft = endpoint('PUT', '/drafts/:friendUserId', {
  access: 'member',
  params: z.object({ friendUserId: userId }),
  body: z.object({
    text: z.string().max(DRAFT_MAX),
    /** 0 if the caller knows none. */
    base_version: z.number().int().min(0),
    /** Whether the caller has decided between the text and its copy. */
    drops_copy: z.boolean().default(false),
  }),
  answer: z.object({ draft }),
  failure: 'Failed to save the draft',
});

/** An event: a draft of the listener was changed, perhaps by another device. */
export const draftsEvent = z.object({ type: z.literal('drafts') });

/** Pages count from 1, the newest; within a page messages come first to last. */
export const listMessages = endpoint('GET', '/messages/:friendUserId', {
  access: 'member',
  params: z.object({ friendUserId: userId }),
  query: z.object({
    page: z.coerce.number().int().min(1).max(100_000).default(1),
    limit: z.coerce.number().int().min(1).max(100).default(PAGE_SIZE),
  }),
  answer: z.object({ messages: z.array(message), hasMore: z.boolean() }),
  failure: 'Failed to fetch messages',
});

/** Returns the caller's messages with friends, or with one of them, that contain these words in any case, newest first. */
export const searchMessages = endpoint('GET', '/message-search', {
  access: 'member',
  query: z.object({
    words: z.string().trim().min(1, 'Required').max(MESSAGE_MAX),
    friend_user_id: userId.optional(),
  }),
  answer: z.object({
    messages: z.array(
      z.object({
        id: z.string(),
        friend_user_id: z.string(),
        text: z.string(),
        /** By its author's clock. */
        at: z.iso.datetime(),
        is_own: z.boolean(),
      }),
    ),
  }),
  failure: 'Failed to search messages',
});

export const sendMessage = endpoint('POST', '/messages', {
  access: 'member',
  body: z.object({ receiver_user_id: userId, message_text: messageText }),
  answer: z.object({ message }),
  failure: 'Failed to send message',
});

const messageParams = z.object({ id: z.string().min(1).max(100) });

/**
 * The photo of a message that the caller wrote with one, once the message itself is on the server. It is stored once; a repeat
 * returns the same key.
 */
export const uploadMessagePhoto = endpoint('POST', '/messages/:id/photo', {
  access: 'member',
  params: messageParams,
  upload: { ...imageUpload, field: 'photo' },
  answer: z.object({ image_key: z.string() }),
  failure: 'Failed to send photo',
});

/** The recording of a voice note that the caller wrote, as `uploadMessagePhoto`. */
export const uploadMessageVoice = endpoint('POST', '/messages/:id/voice', {
  access: 'member',
  params: messageParams,
  upload: {
    field: 'voice',
    maxBytes: VOICE_BYTES_MAX,
    tooLarge: 'A voice note must be less than 512KB',
  },
  answer: z.object({ sound_key: z.string() }),
  failure: 'Failed to send voice note',
});

/**
 * Removes a message of the caller for both, with its photo or recording, from devices, lists and histories. By the server's clock, this is
 * possible for an hour (409 `too_late`), or later while the photo or recording hasn't arrived, unless the message is held for review (409 `in_review`).
 */
export const unsendMessage = endpoint('DELETE', '/messages/:id', {
  access: 'member',
  params: messageParams,
  failure: 'Failed to unsend message',
});

/**
 * Replaces the text of a message of the caller: a new message takes its place, and the old one is removed as by an unsending, so
 * that its text is in no document and on no device any more. This is possible for 15 minutes after the first version arrived, counted
 * to when the device says that the edit was made if it waited for a network, and by the server's clock for an hour in any case (409
 * `too_late`); unless the message is held for review (409 `in_review`), is a voice note or a place (409 `not_text`), or has a photo that is not here yet (409 `no_photo`). The id may be
 * that of an earlier version.
 */
export const editMessage = endpoint('PUT', '/messages/:id', {
  access: 'member',
  params: messageParams,
  body: z.object({ message_text: messageText }),
  answer: z.object({ message }),
  failure: 'Failed to edit message',
});

/**
 * Ids of messages that the caller received; others, and removed ones, are ignored. Messages of one device are read in
 * order: one waits for earlier unread ones.
 */
export const markRead = endpoint('POST', '/messages/mark-read', {
  access: 'member',
  body: z.object({ message_ids: z.array(z.string().min(1).max(100)).min(1).max(500) }),
  /** The number of them that are read now. */
  answer: z.object({ marked: z.number().int() }),
  failure: 'Failed to mark messages as read',
});

/** Those with friends in which something was written, the last active one first. */
export const listConversations = endpoint('GET', '/conversations', {
  limit: HEAVY_READ,
  access: 'member',
  answer: z.object({ conversations: z.array(conversation) }),
  failure: 'Failed to fetch conversations',
});
