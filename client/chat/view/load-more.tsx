import { ChevronDown, ChevronUp } from 'lucide-react';
import { Button } from '../../ui/button.tsx';

const WAYS = {
  earlier: { words: 'Load earlier messages', missing: 'earlier messages', Icon: ChevronUp },
  later: { words: 'Load later messages', missing: 'later messages', Icon: ChevronDown },
};

/** Where a thread goes on beyond what is shown of it. */
export function MoreMessages({
  way,
  isMissing,
  onLoad,
}: {
  way: 'earlier' | 'later';
  /** Whether they were asked for, and could not be had. */
  isMissing: boolean;
  onLoad: () => Promise<void>;
}) {
  const { words, missing, Icon } = WAYS[way];
  return (
    <div className="flex flex-col items-center">
      <Button look="quiet" onClick={() => void onLoad()} Icon={Icon}>
        {words}
      </Button>
      <p role="status" className="max-w-xs text-center text-sm text-soft not-empty:mt-2">
        {isMissing && `Connect to the internet once to load ${missing}.`}
      </p>
    </div>
  );
}
