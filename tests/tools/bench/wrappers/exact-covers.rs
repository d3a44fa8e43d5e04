// A count of exact covers with the crate exact-covers, for the benchmarks of puzzlec.
//
// The input has numbers: in the first line those of primary and secondary items, then a line with the items of each
// option. A colour follows its item after a colon.
use exact_covers::{DlSolver, Solver};
use std::io::{self, BufRead};
use std::ops::ControlFlow;

fn main() {
    let mut lines = io::stdin().lock().lines().map(|line| line.unwrap());
    let head: Vec<i32> = numbers(&lines.next().unwrap());
    let primary: Vec<i32> = (0..head[0]).collect();
    let secondary: Vec<i32> = (head[0]..head[0] + head[1]).collect();
    let mut solver: DlSolver<i32, i32> = DlSolver::new(&primary, &secondary);
    for line in lines {
        let (mut must, mut may) = (Vec::new(), Vec::new());
        for word in line.split_whitespace() {
            let (item, colour) = match word.split_once(':') {
                Some((item, colour)) => (item.parse().unwrap(), Some(colour.parse().unwrap())),
                None => (word.parse().unwrap(), None),
            };
            if item < head[0] {
                must.push(item);
            } else {
                may.push((item, colour));
            }
        }
        if !must.is_empty() {
            solver.add_option(must, may);
        }
    }
    let mut count = 0u64;
    solver.solve(|_| {
        count += 1;
        ControlFlow::Continue(())
    });
    println!("{count}");
}

fn numbers(line: &str) -> Vec<i32> {
    line.split_whitespace().map(|word| word.parse().unwrap()).collect()
}
