//! The fields against data from elsewhere: P-521's points lie over the prime field.

use dualseal::field::{Field, Fp521};
use dualseal_tests::sharing::element;
use dualseal_tests::vectors;
use serde_json::Value;

fn coordinate(text: &Value) -> Fp521 {
    element(&hex::decode(text.as_str().expect("hexadecimal")).expect("hexadecimal"))
}

/// y^2 = x^3 - 3x + b
#[test]
fn every_published_point_is_on_the_curve() {
    let data = vectors::json("p521/points.json");
    let b = format!("{:0>132}", vectors::string(&data, "b").trim_start_matches('0'));
    let (b, three) = (element::<Fp521>(&hex::decode(b).unwrap()), Fp521::from_index(3));
    let points = vectors::items(&data, "points");
    assert!(points.len() >= 733);
    for point in points {
        let (x, y) = (coordinate(&point[0]), coordinate(&point[1]));
        let mut right = x.mul(&x);
        right.sub_assign(&three);
        let mut right = right.mul(&x);
        right.add_assign(&b);
        assert_eq!(y.mul(&y).to_bytes(), right.to_bytes(), "{point}");
        // A neighbour of a point is none.
        right.add_assign(&Fp521::from_index(1));
        assert_ne!(y.mul(&y).to_bytes(), right.to_bytes(), "{point}");
    }
}

#[test]
fn the_published_prime_is_the_first_value_refused() {
    let data = vectors::json("p521/points.json");
    let mut p: [u8; 66] = vectors::bytes(&data, "p").try_into().expect("66 bytes");
    assert!(bool::from(Fp521::from_bytes(&p).is_none()));
    p[65] -= 1;
    let mut last = Fp521::from_bytes(&p).unwrap();
    last.add_assign(&Fp521::from_index(1));
    assert_eq!(*last.to_bytes(), [0; 66]);
}

/// A square is x^2 and x times x; the inverse of x by Fermat, x^(p-2), undoes it.
#[test]
fn fermat_inverts_coordinates() {
    let data = vectors::json("p521/points.json");
    for point in vectors::items(&data, "points").iter().step_by(50) {
        let x = coordinate(&point[0]);
        // p - 2 is 519 ones, a zero and a one.
        let power = (0..521).fold(Fp521::from_index(1), |power, bit| {
            let square = power.mul(&power);
            if bit == 519 { square } else { square.mul(&x) }
        });
        assert_eq!(power.mul(&x).to_bytes(), Fp521::from_index(1).to_bytes());
    }
}
