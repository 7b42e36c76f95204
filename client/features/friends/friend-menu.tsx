import { EllipsisVertical, UserRoundMinus } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { IconButton } from '../../platform/ui/buttons/icon-button.tsx';

/** What is done with a friend less often than writing to them. */
export function FriendMenu({ name, onRemove }: { name: string; onRemove: () => void }) {
  const trigger = useRef<HTMLButtonElement>(null);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger ref={trigger} asChild>
        <IconButton Icon={EllipsisVertical} label={`More about ${name}`} />
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        sideOffset={4}
        collisionPadding={12}
        className="z-40 max-w-[calc(100vw-24px)] rounded-card border border-line bg-surface p-1.5 text-ink shadow-lift"
      >
        <DropdownMenu.Item
          onSelect={() => {
            // The item is removed with the menu, and the dialog must return the focus to an element that exists.
            trigger.current?.focus();
            onRemove();
          }}
          className="flex min-h-12 cursor-pointer items-center gap-3 rounded-control px-3 font-bold data-[highlighted]:bg-sunken data-[highlighted]:outline-none"
        >
          <UserRoundMinus aria-hidden className="size-5 shrink-0" />
          Remove Friend
        </DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
