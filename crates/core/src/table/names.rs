//! How layers, files and directories of tables are called.
//!
//! A layer pair is named after the layer with the smaller set of unsown pits, its *first* one: `n24.kpt` for the
//! unlocked layer of 24 stones, `n24_AB_-.kpt` for A and B of the mover unsown (and, mirrored, of the opponent),
//! `n48_BD_a.kpt` for pits of both. Stones have two digits, so that a listing is in order. A set of files for one
//! game and its options lies in a directory such as `kpe-skip-same-remains`.

use crate::board::{Pit, Pits};
use crate::echo::short;
use crate::index::Layer;
use crate::rules::Game;

/// What the name of a table file ends with.
pub const FILE_SUFFIX: &str = ".kpt";

/// The layer of a pair that stands first in its file and gives it its name: the one with the smaller set of unsown pits.
#[must_use]
pub fn first_of_pair(layer: Layer) -> Layer {
    layer.min(layer.mirror())
}

/// The mover's unsown pits of a layer as capital letters, empty for none.
#[must_use]
pub fn mover_letters(layer: Layer) -> String {
    letters(layer.unsown().and(Pits::OWN), b'A')
}

/// The opponent's unsown pits of a layer as small letters from *his* left, empty for none.
#[must_use]
pub fn opponent_letters(layer: Layer) -> String {
    letters(layer.unsown().and(Pits::OPPONENT), b'a')
}

fn letters(pits: Pits, first: u8) -> String {
    pits.into_iter().map(|pit| char::from(first + pit.index() as u8 % 4)).collect()
}

/// A layer as people read it: `n24` or `n24_AB_-`, the mover's unsown pits before the opponent's.
#[must_use]
pub fn layer_name(layer: Layer) -> String {
    let stones = layer.stones();
    if layer.unsown().is_empty() {
        return format!("n{stones:02}");
    }
    let or_dash = |word: String| if word.is_empty() { "-".to_owned() } else { word };
    format!("n{stones:02}_{}_{}", or_dash(mover_letters(layer)), or_dash(opponent_letters(layer)))
}

/// The layer that [`layer_name`] calls so; `None` for any other text.
#[must_use]
pub fn parse_layer_name(name: &str) -> Option<Layer> {
    let mut parts = name.strip_prefix('n')?.split('_');
    let stones = parts.next()?.parse().ok()?;
    let mut unsown = Pits::NONE;
    for letter in parts.flat_map(str::bytes).filter(|&letter| letter != b'-') {
        let number = match letter {
            b'A'..=b'D' => letter - b'A',
            b'a'..=b'd' => letter - b'a' + 4,
            _ => return None,
        };
        unsown = unsown.with(Pit::new(number));
    }
    // Other spellings of the same layer are no names.
    Layer::new(unsown, stones).filter(|&layer| layer_name(layer) == name)
}

/// The name of the file that holds `layer` and its mirror image.
#[must_use]
pub fn file_name(layer: Layer) -> String {
    layer_name(first_of_pair(layer)) + FILE_SUFFIX
}

/// The first layer of the file called so; `None` if [`file_name`] gives no such name.
#[must_use]
pub fn parse_file_name(name: &str) -> Option<Layer> {
    parse_layer_name(name.strip_suffix(FILE_SUFFIX)?).filter(|&layer| first_of_pair(layer) == layer)
}

/// The name of the directory for a game and its options: `kpe-skip-same-remains`.
#[must_use]
pub fn directory_name(game: &Game) -> String {
    let options = game.to_string();
    let values = options.split(',').map(|option| option.split_once('=').map_or(option, |(_, value)| value));
    std::iter::once(game.name()).chain(values).collect::<Vec<_>>().join("-")
}

/// Game and options as error messages show them.
pub fn rules_text(game: &str, options: &str) -> String {
    // Files say anything.
    format!("{} with {}", short(game), short(options))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Origin;
    use crate::rules::gore::{Gore, Trade};
    use crate::rules::kpe::Kpe;

    #[test]
    fn names_are_readable_and_parse_back() {
        for (unsown, stones, name) in
            [(0, 4, "n04.kpt"), (0, 24, "n24.kpt"), (0x03, 24, "n24_AB_-.kpt"), (0xa1, 48, "n48_BD_a.kpt")]
        {
            assert_eq!(file_name(Layer::new(Pits(unsown), stones).unwrap()), name);
        }
        for unsown in 0..=255 {
            for stones in 0..=48 {
                let Some(layer) = Layer::new(Pits(unsown), stones) else { continue };
                assert_eq!(parse_layer_name(&layer_name(layer)), Some(layer));
                assert_eq!(file_name(layer), file_name(layer.mirror()));
                assert_eq!(parse_file_name(&file_name(layer)), Some(first_of_pair(layer)));
            }
        }
    }

    #[test]
    fn other_spellings_are_no_names() {
        for name in ["n4.kpt", "n004.kpt", "n24_-_-.kpt", "n24_BA_-.kpt", "n24_-_ab.kpt", "n24_A.kpt", "n24", "n+4.kpt"]
        {
            assert_eq!(parse_file_name(name), None, "{name}");
        }
    }

    #[test]
    fn directories_name_every_option() {
        assert_eq!(directory_name(&Game::Kpe(Kpe::default())), "kpe-skip-same-remains");
        let gore = Gore { origin: Origin::Sow, trade: Trade::Off };
        assert_eq!(directory_name(&Game::Gore(gore)), "gore-sow-off");
    }
}
