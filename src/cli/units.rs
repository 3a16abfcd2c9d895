//! Numbers, sizes, times and counts, read and written for people.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use kpe::echo::quoted;

/// A parser of whole numbers in a range, whose error says which.
pub(super) fn number<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync,
{
    move |text| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|number| digits && range.contains(number));
        let (least, most) = (range.start(), range.end());
        number.ok_or_else(|| format!("found {}, expected a whole number from {least} to {most}", quoted(text)))
    }
}

/// So many of something: `1 ply`, `12,000 plies`.
pub(super) fn counted(count: u64, one: &str, more: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { more })
}

/// A parser of numbers with a decimal point in a range, whose error says which.
pub(super) fn decimal(range: RangeInclusive<f64>) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let (least, most) = (range.start(), range.end());
        number.ok_or_else(|| format!("found {}, expected a number from {least} to {most}", quoted(text)))
    }
}

/// A size in bytes: `512MiB`, `8GiB`, `1000000`; `K`, `M`, `G` and `T` alone mean the binary units.
pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    let expected = || format!("found {}, expected a size such as 512MiB or 8GiB", quoted(text));
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let factor: u64 = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        _ => return Err(expected()),
    };
    number.parse::<u64>().ok().and_then(|number| number.checked_mul(factor)).ok_or_else(expected)
}

/// A length of time: `1s`, `500ms`, `2m`, `1.5s`; a number alone means seconds.
pub(super) fn parse_time(text: &str) -> Result<Duration, String> {
    let expected = || format!("found {}, expected a time such as 1s, 500ms or 2m", quoted(text));
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()));
    let factor = match unit {
        "ms" => 1e-3,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(expected()),
    };
    let seconds = number.parse::<f64>().map_err(|_| expected())? * factor;
    // A thousand years; more only overflows clocks.
    Duration::try_from_secs_f64(seconds).ok().filter(|time| time.as_secs() < 1 << 35).ok_or_else(expected)
}

/// A size as people read it: `64 MiB`, `1.2 GiB`.
pub(super) fn size(bytes: u64) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1023.5 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    // Three digits tell enough.
    let decimals = usize::from(unit > 0 && value < 99.95);
    format!("{value:.decimals$} {}", units[unit])
}

/// A number with its thousands apart: `5,712,575,732`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A length of time as people read it: `0.31 s`, `42 s`, `3 min 20 s`, `1 h 05 min`.
pub(super) fn time(length: Duration) -> String {
    let seconds = length.as_secs();
    match seconds {
        0..10 => format!("{:.2} s", length.as_secs_f64()),
        10..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_within_their_range() {
        let small = number::<u8>(1..=200);
        assert_eq!((small("1"), small("007"), small("200")), (Ok(1), Ok(7), Ok(200)));
        for wrong in ["", "0", "201", "256", "-1", "+1", " 1", "1.0", "x", "١", "99999999999999999999999"] {
            let told = small(wrong).unwrap_err();
            assert_eq!(told, format!("found {wrong:?}, expected a whole number from 1 to 200"));
        }
        let part = decimal(0.0..=1.0);
        assert_eq!((part("0.05"), part("1")), (Ok(0.05), Ok(1.0)));
        for wrong in ["", "x", "nan", "inf", "1.1", "-1"] {
            assert_eq!(part(wrong).unwrap_err(), format!("found {wrong:?}, expected a number from 0 to 1"));
        }
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(parse_size("512MiB"), Ok(512 << 20));
        assert_eq!(parse_size("8GiB"), Ok(8 << 30));
        assert_eq!(parse_size("8g"), Ok(8 << 30));
        assert_eq!(parse_size("2MB"), Ok(2_000_000));
        assert_eq!(parse_size("77"), Ok(77));
        for wrong in ["", "MiB", "-1", "1.5GiB", "8 GiB", "8XB", "99999999999TiB", "18446744073709551616"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_read() {
        let milliseconds = |text| parse_time(text).map(|time| time.as_millis());
        assert_eq!(
            ["1s", "500ms", "2m", "1.5s", "3", "0s"].map(milliseconds),
            [1000, 500, 120_000, 1500, 3000, 0].map(Ok)
        );
        for wrong in ["", "s", "-1s", "1 s", "1d", "1e9s", "nan", "1..2s", "99999999999999999999h"] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!([0, 999, 1000, 5_712_575_732].map(grouped), ["0", "999", "1,000", "5,712,575,732"]);
        assert_eq!(
            [0, 1023, 1536, 64 << 20, 9 << 30].map(size),
            ["0 bytes", "1023 bytes", "1.5 KiB", "64.0 MiB", "9.0 GiB"]
        );
        assert_eq!(size(512 << 20), "512 MiB");
        let shown = [310, 42_000, 200_000, 3_900_000].map(|ms| time(Duration::from_millis(ms)));
        assert_eq!(shown, ["0.31 s", "42 s", "3 min 20 s", "1 h 05 min"]);
    }
}
