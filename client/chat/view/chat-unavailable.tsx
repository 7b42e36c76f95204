import { MessageCircleOff } from 'lucide-react';
import { ButtonLink } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';

/** In the place of a chat with somebody who is no friend, or no longer. */
export function ChatUnavailable() {
  return (
    <Screen
      title="Chat"
      className="flex flex-1 flex-col items-center justify-center gap-4 px-6 py-12 text-center"
    >
      <MessageCircleOff aria-hidden className="size-12 text-soft" />
      <h1 tabIndex={-1} className="text-2xl font-bold">
        Chat Not Available
      </h1>
      <p className="max-w-sm text-soft">Unable to load chat. You can only message friends.</p>
      <ButtonLink to="/social">Back to Social</ButtonLink>
    </Screen>
  );
}
