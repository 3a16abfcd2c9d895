//! The rules in short, as they are under the options of the game in play.

use kpe::board::Origin;
use kpe::rules::gore::{Gore, Trade};
use kpe::rules::kpe::{Feed, Kpe, Unlock};
use kpe::rules::{Game, Loops};

/// The rules, a paragraph each.
pub(super) fn told(game: &Game, loops: Loops) -> Vec<String> {
    match game {
        Game::Kpe(kpe) => of_kpe(kpe, loops),
        Game::Gore(gore) => of_gore(gore, loops),
    }
}

const fn sowing(origin: Origin) -> &'static str {
    match origin {
        Origin::Skip => "A hand of eight or more passes over the pit it came from.",
        Origin::Sow => "A hand of eight or more drops one into the pit it came from too.",
    }
}

const fn shares(loops: Loops, own: &'static str) -> &'static str {
    match loops {
        Loops::Split => "is shared equally",
        Loops::Own => own,
    }
}

fn of_kpe(kpe: &Kpe, loops: Loops) -> Vec<String> {
    let unlocking = match kpe.unlock {
        Unlock::Same => "the move that sows the last of them may already capture",
        Unlock::Next => "the move that sows the last of them does not capture yet",
    };
    let feeding = match kpe.feed {
        Feed::Remains => "after which he has one",
        Feed::Sown => "that drops one in his row",
    };
    vec![
        format!(
            "Sowing: lift all stones of one of your pits and drop them one by one into the next pits, counter-clockwise. {}",
            sowing(kpe.origin)
        ),
        "Capture: if the last stone brings a pit of the opponent to two or four, these stones are captured, and so are \
         those of the pits before it in an unbroken chain of twos and fours on his side."
            .to_owned(),
        format!("Lock: nobody captures before he has sown from each of his four pits; {unlocking}."),
        format!("Feeding: if the opponent has no stones you must, if you can, make a move {feeding}."),
        format!(
            "End: when the player to move has no stones; what is left belongs to him in whose row it lies. Also when a \
             position comes back; what is left {} then.",
            shares(loops, "goes to the players in whose rows it lies")
        ),
        "Who has more stones wins.".to_owned(),
    ]
}

fn of_gore(gore: &Gore, loops: Loops) -> Vec<String> {
    let trades = gore.trade == Trade::On;
    let owners = if trades { "a pit you own, at first those of your row" } else { "a pit of your row" };
    let mut told = vec![
        format!(
            "Sowing: lift all stones of {owners}, and drop them one by one into the next pits, counter-clockwise. {} \
             You need not feed the opponent; if all your pits are empty you pass.",
            sowing(gore.origin)
        ),
        "Capture: if the last stone brings a pit that the opponent owns to two or four, it is captured, and with it the \
         pits of the unbroken chain of twos and fours that runs from it both ways round the board, whoever owns them."
            .to_owned(),
        format!(
            "End: when no pit holds three stones; what is left belongs to the owners of the pits. Also when a position \
             comes back, with the same {}; what is left {} then.",
            if trades { "captured stones and owners" } else { "captured stones" },
            shares(loops, "goes to the owners of the pits")
        ),
    ];
    if trades {
        let offers = "Offers: instead of sowing you may offer one to three of your pits, not your last one, if the \
                      other has six captured stones for each. He accepts or declines; then it is his turn either way. \
                      What he accepts is his, and the six stones he pays for each go into it.";
        told.insert(2, offers.to_owned());
    }
    let glory = if trades { " If he has declined an offer it is a victory without glory." } else { "" };
    told.push(format!("Who has more stones wins.{glory}"));
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(game: &str, options: &str, loops: Loops) -> String {
        told(&Game::parse(game, options).unwrap(), loops).join("\n")
    }

    #[test]
    fn every_option_changes_what_is_told() {
        for (game, options) in
            [("kpe", &["origin=sow", "unlock=next", "feed=sown"][..]), ("gore", &["origin=sow", "trade=off"])]
        {
            let usual = text(game, "", Loops::Split);
            assert_ne!(usual, text(game, "", Loops::Own));
            for option in options {
                assert_ne!(usual, text(game, option, Loops::Split), "{option}");
            }
        }
        let sold = text("gore", "", Loops::Split);
        assert!(sold.contains("six captured stones for each") && sold.contains("without glory"), "{sold}");
        let plain = text("gore", "trade=off", Loops::Split);
        assert!(!plain.contains("offer") && !plain.contains("glory") && !plain.contains("at first"), "{plain}");
    }
}
