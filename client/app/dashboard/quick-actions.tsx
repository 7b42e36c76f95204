import {
  BellRing,
  Dog,
  HandHeart,
  MapPin,
  MessagesSquare,
  Square,
  Trees,
  UserRoundPen,
  UserRoundPlus,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useOwnCard } from '../../features/card/use-card.ts';
import { WaitingBadge } from '../../features/friends/waiting-badge.tsx';
import { useWalk } from '../../features/walks/use-walk.ts';
import { Button, ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { useSocialAddress } from './use-social-address.ts';

const TILE = 'gap-1! px-0.5! py-2! text-xs leading-tight @min-[30rem]:text-base';

/** The most frequent actions. */
export function QuickActions() {
  const card = useOwnCard();
  const { isWalking, start, end } = useWalk();
  const { address, unread, requests } = useSocialAddress();
  const LocationIcon = isWalking ? Square : MapPin;
  return (
    <Card title="Quick Actions">
      <div className="@container">
        {/* Two in a row with large text. */}
        <div className="grid auto-rows-fr grid-cols-2 gap-1.5 @min-[16rem]:grid-cols-4">
          <Tile to="/home?open=add-dog" name="Add Dog" Icon={Dog} />
          <Tile to="/onboarding" name="Edit Profile" Icon={UserRoundPen} />
          <Tile to="/locations" name="Walking Locations" Icon={Trees} />
          <Tile to="/community" name="Community Charities" Icon={HandHeart} />
          <Tile
            to={address}
            name="Social & Chat"
            Icon={MessagesSquare}
            badge={
              <WaitingBadge
                unread={unread}
                requests={requests}
                className="absolute top-2 right-2"
              />
            }
          />
          <Button
            look="tile"
            className={TILE}
            disabled={!card}
            onClick={isWalking ? end : start}
            icon={<LocationIcon aria-hidden className="size-5 shrink-0 text-accent" />}
          >
            <span>{isWalking ? 'Disable Location' : 'Enable Location'}</span>
            {isWalking && <span className="font-normal text-soft">Ends the walk</span>}
          </Button>
          <Tile to="/home?open=refer-friends" name="Refer Friends" Icon={UserRoundPlus} />
          <Tile to="/home?open=test-alerts" name="Test Alerts" Icon={BellRing} />
        </div>
      </div>
    </Card>
  );
}

function Tile({
  to,
  name,
  Icon,
  badge,
}: {
  to: string;
  name: string;
  Icon: LucideIcon;
  badge?: ReactNode;
}) {
  return (
    <ButtonLink
      look="tile"
      to={to}
      className={`relative ${TILE}`}
      icon={<Icon aria-hidden className="size-5 shrink-0 text-accent" />}
    >
      {name}
      {badge}
    </ButtonLink>
  );
}
