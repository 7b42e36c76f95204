import type { GuidelineCategory } from '#shared/moderation/contract.ts';

interface DefaultGuideline {
  guideline_category: GuidelineCategory;
  title: string;
  description: string;
  examples: string[];
  consequences: string;
}

/** The guidelines of a new installation, short enough to be read before the first message; admins can edit them. */
export const DEFAULT_GUIDELINES: readonly DefaultGuideline[] = [
  {
    guideline_category: 'respectful_communication',
    title: 'Be kind to each other',
    description:
      'Write as you would speak to someone at the dog park. We have different dogs and different opinions.',
    examples: [
      'Do: “My dog needs space, could we cross to the other side?”',
      'Don’t: insult people, or put them down for who they are.',
    ],
    consequences: 'First a warning, then a temporary messaging restriction.',
  },
  {
    guideline_category: 'safety_first',
    title: 'Safety comes first',
    description:
      'Meet new people in public places and in daylight. Keep your address, routes and bank details private.',
    examples: [
      'Do: leave if something feels wrong, and report it.',
      'Don’t: press anyone to say where they live or when they’re alone.',
    ],
    consequences:
      'Who endangers others is suspended. In an emergency, call the emergency services first.',
  },
  {
    guideline_category: 'no_illegal_content',
    title: 'No illegal content',
    description:
      'Don’t offer, ask for, or share anything illegal: drugs, weapons, stolen animals, fraud, or threats.',
    examples: [
      'Do: tell the police about a stolen dog, and us.',
      'Don’t: sell drugs or prescription medicine, also for animals.',
    ],
    consequences: 'We close the account and notify law enforcement.',
  },
  {
    guideline_category: 'protect_minors',
    title: 'Protect children and young people',
    description:
      'Young people walk dogs, too. Never send them anything sexual, and never ask them for photos or to meet alone.',
    examples: [
      'Do: meet families together with a parent.',
      'Do: report anyone who approaches a child here.',
    ],
    consequences: 'Without a warning, we close the account and notify law enforcement.',
  },
  {
    guideline_category: 'animal_welfare',
    title: 'Treat animals well',
    description:
      'Cruelty, neglect and dog fighting have no place here, and neither does praising them.',
    examples: [
      'Do: ask a vet or a trainer when you’re unsure.',
      'Don’t: recommend beating, shocking or choking a dog.',
    ],
    consequences: 'Suspension. If it’s illegal, we close the account and notify law enforcement.',
  },
  {
    guideline_category: 'no_harassment',
    title: 'No harassment',
    description: 'Respect a no, and treat silence as a no. Don’t follow people on their walks.',
    examples: [
      'Do: accept it when someone removes or blocks you.',
      'Don’t: make sexual remarks, or send photos that no one asked for.',
    ],
    consequences: 'First a warning, then a temporary messaging restriction, then suspension.',
  },
  {
    guideline_category: 'spam_prevention',
    title: 'No spam',
    description:
      'Messages are for people who know each other. Don’t advertise, and don’t ask anyone for money.',
    examples: [
      'Do: recommend what helped your own dog.',
      'Don’t: ask for gift cards, transfers or investments, whatever the story.',
    ],
    consequences: 'First a warning, then a temporary messaging restriction; suspension for fraud.',
  },
];
